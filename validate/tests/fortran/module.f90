! module-use IJKL POSITION N: calls of module gpuranmar, for module.t. Each way to draw gives the same
! N numbers, from POSITION on of the sequence with seed IJKL; known answers say which they are. The
! lines on errors go to standard error.
program module_use
   use, intrinsic :: iso_c_binding, only: c_sizeof
   use, intrinsic :: iso_fortran_env, only: int64, error_unit
   use gpuranmar
   use gpuranmar_device
   implicit none
   type(gpuranmar_stream) :: stream, other, third, several(2), copies(2)
   type(gpuranmar_options) :: options
   integer(int64) :: numbers(3), position
   character(gpuranmar_saved_state_size) :: saved
   character(32) :: word
   double precision, allocatable, target :: wanted(:), u(:), v(:)
   real, allocatable, target :: r(:), q(:)
   double precision, pointer :: drawn(:)
   real, pointer :: drawn_single(:)
   integer :: i, n, few, ijkl, billions, rest

   do i = 1, 3
      call get_command_argument(i, word)
      read (word, *) numbers(i)
   end do
   n = int(numbers(3))
   few = min(n, 1000)
   allocate (wanted(n), u(n), v(7), r(n), q(n))

   options = gpuranmar_options(seed=numbers(1), position=numbers(2))
   call check(gpuranmar_stream_initialise(stream, options))
   call check(gpuranmar_stream_get(stream, wanted(:n / 2)))
   do i = n / 2 + 1, n
      call check(gpuranmar_stream_get(stream, wanted(i:i)))
   end do
   call at(stream, numbers(2) + n)

   options = gpuranmar_options()
   if (options%bytes /= c_sizeof(options)) error stop 'the size of the options'
   if (any([options%seed, options%position, options%instances, options%prefetch] /= &
           [54217137, 0, 1, 0]) .or. &
       any([options%flavour, options%backend, options%threads] /= 0)) error stop 'default options'
   if (any([gpuranmar_cuda, gpuranmar_opencl, gpuranmar_no_memory, gpuranmar_no_backend, &
            gpuranmar_two_libraries, gpuranmar_saved_state_size] /= [1, 2, 5, 6, 7, 80])) &
      error stop 'values of the header'

   ! A copy goes on from the same place, and is closed by itself.
   call check(gpuranmar_stream_initialise(other))
   call check(gpuranmar_stream_seek(stream, numbers(2)))
   other = stream
   call check(gpuranmar_stream_copy(third, other))
   call check(gpuranmar_stream_options(third, options))
   if (any([options%position, options%seed, options%prefetch] /= &
           [numbers(2), numbers(1), 1024_int64])) error stop 'options'
   call gpuranmar_stream_close(third)
   call refused(gpuranmar_stream_copy(other, third), gpuranmar_bad_argument)
   call check(gpuranmar_stream_get(stream, v))
   call gpuranmar_stream_close(stream)
   call check(gpuranmar_stream_get(other, u))
   call same(u, wanted)
   call same(v(:min(n, 7)), wanted(:min(n, 7)))
   call gpuranmar_stream_close(other)

   call check(gpuranmar_stream_initialise(stream, gpuranmar_options(seed=numbers(1), threads=2)))
   call check(gpuranmar_stream_get(stream, v))
   call check(gpuranmar_stream_skip(stream, numbers(2) - size(v)))
   call check(gpuranmar_stream_save(stream, saved))
   call check(gpuranmar_stream_fill(stream, u))
   call same(u, wanted)
   call check(gpuranmar_stream_initialise(other))
   call check(gpuranmar_stream_restore(other, saved))
   call check(gpuranmar_stream_draw(other, drawn, few))
   call same(drawn, wanted(:few))
   do i = few + 1, n
      call check(gpuranmar_stream_draw(other, drawn, 1))
      call same(drawn, wanted(i:i))
   end do

   ijkl = int(numbers(1))
   rest = int(mod(numbers(2), 10_int64**9))
   billions = int(numbers(2) / 10_int64**9)
   call grnset(ijkl, rest, billions, 3)
   call check(gpuranmar_get(3, u(:n / 2)))
   call check(gpuranmar_get_unbuffered(3, u(n / 2 + 1:)))
   call same(u, wanted)
   call grnset(ijkl, rest, billions, 3)
   call rmmard(u, n, 3)
   call same(u, wanted)
   call check(gpuranmar_close(3))
   call refused(gpuranmar_get(3, u), gpuranmar_not_set)

   options = gpuranmar_options(seed=numbers(1), position=numbers(2), flavour=gpuranmar_single, &
                               backend=gpuranmar_cpu)
   call check(gpuranmar_stream_initialise(stream, options))
   call check(gpuranmar_stream_get(stream, q))
   call check(gpuranmar_stream_initialise(stream, options))
   call check(gpuranmar_stream_draw(stream, drawn_single, few))
   r(:few) = drawn_single
   call check(gpuranmar_stream_fill(stream, r(few + 1:)))
   call same(dble(r), dble(q))

   ! Errors come back as a code and a line, and change nothing.
   v = 7
   call refused(gpuranmar_stream_get(stream, v(::2)), gpuranmar_bad_argument)
   if (any(abs(v - 7) > 0)) error stop 'an error changed the array'
   drawn => v
   drawn_single => r
   call refused(gpuranmar_stream_draw(stream, drawn, 1), gpuranmar_bad_argument)
   call refused(gpuranmar_stream_draw(other, drawn_single, 1), gpuranmar_bad_argument)
   if (.not. (associated(drawn, v) .and. associated(drawn_single, r))) error stop 'drawn'
   call refused(gpuranmar_stream_initialise(stream, gpuranmar_options(seed=-1)), &
                gpuranmar_bad_argument)
   call at(stream, numbers(2) + n)
   call refused(gpuranmar_stream_restore(stream, saved(:40)), gpuranmar_bad_state)
   call refused(gpuranmar_initialise(1, 31329, 0, 1, 0_int64), gpuranmar_bad_argument)
   write (error_unit, '(a)') gpuranmar_version()
   ! An array of streams is copied stream by stream.
   call check(gpuranmar_stream_initialise(several(2)))
   copies = several
   call check(gpuranmar_stream_skip(several(2), numbers(2)))
   call at(copies(2), 0_int64)
   call gpuranmar_stream_close(several(2))
   call gpuranmar_stream_close(copies(2))
   call gpuranmar_stream_close(stream)
   call gpuranmar_stream_close(stream)
   call gpuranmar_stream_close(other)
   deallocate (wanted, u, v, r, q)
   call ranks
   call closed_before
   call known_answers

contains

   ! Arrays of any rank, in pieces too, and leapfrog, in array element order.
   subroutine ranks
      double precision :: u(24), matrix(2, 3, 4), large(4, 6, 8), scalar
      real :: single(24), narrow(2, 2)
      call check(gpuranmar_stream_initialise(stream, gpuranmar_options(seed=numbers(1))))
      call check(gpuranmar_stream_get(stream, u))
      call back
      call check(gpuranmar_stream_fill(stream, matrix))
      call same(reshape(matrix, [24]), u)
      call back
      large = -1
      call check(gpuranmar_stream_get(stream, large(::2, ::2, ::2)))
      call same(reshape(large(::2, ::2, ::2), [24]), u)
      if (count(large < 0) /= 192 - 24) error stop 'numbers beside an array'
      call back
      call check(gpuranmar_stream_get(stream, scalar))
      call same([scalar], u(1:1))
      call check(gpuranmar_stream_leapfrog(stream, matrix(:, :, 1), 3_int64))
      call same(reshape(matrix(:, :, 1), [6]), u(2:17:3))
      call at(stream, 19_int64)
      call grnset(ijkl, 0, 0, 4)
      call check(gpuranmar_get(4, matrix(1, 1:2, 1:2)))
      call check(gpuranmar_get_unbuffered(4, matrix(2, 1:2, 1:2)))
      call same([matrix(1, 1:2, 1:2), matrix(2, 1:2, 1:2)], u(:8))
      call check(gpuranmar_stream_initialise(stream, gpuranmar_options(flavour=gpuranmar_single)))
      call check(gpuranmar_stream_get(stream, single))
      call back
      call check(gpuranmar_stream_leapfrog(stream, narrow, 5_int64))
      call same(dble(reshape(narrow, [4])), dble(single(1:16:5)))
      call gpuranmar_stream_close(stream)
   end subroutine

   ! A stream is closed where another takes its place. The caches of all these would not fit into
   ! the memory that module.t allows.
   subroutine closed_before
      do i = 1, 100
         call check(gpuranmar_stream_initialise(stream, gpuranmar_options(prefetch=2_int64**20)))
         call check(gpuranmar_stream_draw(stream, drawn, 1))
         other = stream
         call check(gpuranmar_stream_draw(other, drawn, 1))
         call check(gpuranmar_stream_copy(third, other))
         third = third
         call check(gpuranmar_stream_draw(third, drawn, 1))
      end do
      call at(third, 3_int64)
      call gpuranmar_stream_close(stream)
      call gpuranmar_stream_close(other)
      call gpuranmar_stream_close(third)
   end subroutine

   subroutine back
      call check(gpuranmar_stream_seek(stream, 0_int64))
   end subroutine

   subroutine at(s, wanted)
      type(gpuranmar_stream), intent(in) :: s
      integer(int64), intent(in) :: wanted
      call check(gpuranmar_stream_position(s, position))
      if (position /= wanted) error stop 'position'
   end subroutine

   subroutine same(a, b)
      double precision, intent(in) :: a(:), b(:)
      if (any(abs(a - b) > 0)) error stop 'numbers differ'
   end subroutine

   subroutine refused(error, wanted)
      integer, intent(in) :: error, wanted
      if (error /= wanted) error stop 'another error'
      write (error_unit, '(a)') gpuranmar_strerror(error)//', '//gpuranmar_last_error()
   end subroutine

   ! csrc/definition/known_answers.txt: the module's streams. Where they have the sequence, RMMARD,
   ! and gpuranmar_device, which jumps, and goes on from the middle of its ring.
   ! The key 2**64 - 1 is read as text, since it is no int64.
   subroutine known_answers
      character(200) :: line
      character(8) :: flavour
      character(20) :: seed
      integer(int64) :: words(6)
      double precision :: u(6), v(6)
      real :: r(6)
      type(ranmar_sequence) :: base, s
      integer(int64) :: powers(97, 3)
      integer :: file, status, lines
      open (newunit=file, file='csrc/definition/known_answers.txt', status='old', action='read')
      lines = 0
      do
         read (file, '(a)', iostat=status) line
         if (status /= 0) exit
         if (line(1:1) == '#') cycle
         lines = lines + 1
         options = gpuranmar_options()
         read (line, '(a8, 1x, a20, 1x, i19)') flavour, seed, options%position
         read (line(50:), merge('(6(1x, z6)) ', '(6(1x, z12))', flavour == 'single')) words
         if (seed == '18446744073709551615') seed = '-1'
         read (seed, *) options%seed
         options%flavour = index('dsek', flavour(1:1)) - 1
         call check(gpuranmar_stream_initialise(stream, options))
         if (options%flavour == gpuranmar_single) then
            call check(gpuranmar_stream_get(stream, r))
            call same(r*2d0**24, dble(words))
            cycle
         end if
         call check(gpuranmar_stream_get(stream, v))
         call same(v*2d0**48, dble(words))
         if (options%flavour /= gpuranmar_double) cycle
         call ranmar_seed_state(base, options%seed)
         call ranmar_powers(powers, 3, options%position/7)
         call ranmar_start(s, base, 7_int64, options%position/7, powers, 3)
         if (s%c < 0) error stop 'the arithmetic part after a jump'
         do i = 1, int(mod(options%position, 7_int64))
            u(1) = ranmar_next(s)
         end do
         call ranmar_start(base, s, 0_int64, 0_int64, powers, 3)
         u = [(ranmar_next(base), i = 1, 6)]
         call same(u, v)
         if (options%position >= 10_int64**18) cycle
         call grnset(int(options%seed), int(mod(options%position, 10_int64**9)), &
                     int(options%position/10_int64**9), 5)
         call rmmard(u, 6, 5)
         call same(u, v)
      end do
      if (lines < 16) error stop 'known answers are missing'
      base%x = 0
      base%c = 7654321
      call same([ranmar_next(base)], [2d0**(-48)]) ! 0 - 0 becomes the smallest number
      close (file)
      call gpuranmar_stream_close(stream)
   end subroutine

   subroutine check(error)
      integer, intent(in) :: error
      if (error == gpuranmar_ok) return
      write (error_unit, '(a)') gpuranmar_last_error()
      error stop
   end subroutine
end program
