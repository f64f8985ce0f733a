! Calls of module gpuranmar, for module.t. Each call that draws gives the numbers of one sequence;
! known answers say which they are. The lines on errors go to standard error.
program module_use
   use, intrinsic :: iso_c_binding, only: c_sizeof
   use, intrinsic :: iso_fortran_env, only: int64, error_unit
   use gpuranmar
   use gpuranmar_device
   implicit none
   integer, parameter :: n = 3000, ij = 1802, kl = 9373
   integer(int64), parameter :: seed = 30082_int64*ij + kl, start = 2*10_int64**9 + 1000003
   type(gpuranmar_stream) :: stream, other, third, several(2), copies(2)
   type(gpuranmar_options) :: options
   character(gpuranmar_saved_state_size) :: saved
   double precision, target :: wanted(n), u(n), v(7)
   double precision :: cube(2, 3, 4), large(4, 6, 8), scalar
   real, target :: r(24)
   real :: q(24), narrow(2, 2)
   double precision, pointer :: drawn(:)
   real, pointer :: drawn_single(:)
   integer :: iseed(3) = [int(seed), 1000003, 2], i, ijkl, ntot, ntot2

   options = gpuranmar_options(seed=seed, position=start)
   call check(gpuranmar_stream_initialise(stream, options))
   call check(gpuranmar_stream_get(stream, wanted))
   call at(stream, start + n)

   options = gpuranmar_options()
   if (options%bytes /= c_sizeof(options)) error stop 'the size of the options'
   if (any([options%seed, options%position, options%instances, options%prefetch] /= &
           [54217137, 0, 1, 0]) .or. &
       any([options%flavour, options%backend, options%threads] /= 0)) error stop 'default options'
   if (any([gpuranmar_cuda, gpuranmar_opencl, gpuranmar_no_memory, gpuranmar_no_backend, &
            gpuranmar_two_libraries, gpuranmar_saved_state_size] /= [1, 2, 5, 6, 7, 80])) &
      error stop 'values of the header'

   ! A copy goes on from the same place, and is closed by itself.
   call back(start)
   other = stream
   call check(gpuranmar_stream_copy(third, other))
   call check(gpuranmar_stream_options(third, options))
   if (any([options%position, options%seed, options%prefetch] /= [start, seed, 1024_int64])) &
      error stop 'options'
   call gpuranmar_stream_close(third)
   call refused(gpuranmar_stream_copy(other, third), gpuranmar_bad_argument)
   call check(gpuranmar_stream_get(stream, v))
   call gpuranmar_stream_close(stream)
   call check(gpuranmar_stream_fill(other, u))
   call same(u, wanted)
   call gpuranmar_stream_close(other)
   ! An array of streams is copied stream by stream.
   call check(gpuranmar_stream_initialise(several(2)))
   copies = several
   call check(gpuranmar_stream_skip(several(2), 5_int64))
   call at(copies(2), 0_int64)
   call gpuranmar_stream_close(several(2))
   call gpuranmar_stream_close(copies(2))

   call check(gpuranmar_stream_initialise(stream, gpuranmar_options(seed=seed, threads=2)))
   call check(gpuranmar_stream_skip(stream, start))
   call check(gpuranmar_stream_save(stream, saved))
   call check(gpuranmar_stream_initialise(other))
   call check(gpuranmar_stream_restore(other, saved))
   call check(gpuranmar_stream_draw(other, drawn, 1000))
   call same(drawn, wanted(:1000))

   ! Numbered sequences.
   call rmmaqd(iseed, 3, 'S')
   call check(gpuranmar_get(3, u(:7)))
   call check(gpuranmar_get_unbuffered(3, u(8:)))
   call same(u, wanted)
   call grncnt(3, ntot, ntot2)
   call grnsta(3, ijkl, ntot, ntot2, i, i, scalar, u)
   if (any([ijkl, ntot, ntot2] /= iseed + [0, n, 0])) error stop 'counters'
   call rmmaqd(iseed, 3, 'S')
   call rmmard(u, n, 3)
   call same(u, wanted)
   call check(gpuranmar_close(3))
   call refused(gpuranmar_get(3, u), gpuranmar_not_set)

   ! Arrays of any rank, in pieces too, are filled in array element order.
   call back(start)
   call check(gpuranmar_stream_fill(stream, cube))
   call same(reshape(cube, [24]), wanted(:24))
   call back(start)
   large = -1
   call check(gpuranmar_stream_get(stream, large(::2, ::2, ::2)))
   call same(reshape(large(::2, ::2, ::2), [24]), wanted(:24))
   if (count(large < 0) /= 192 - 24) error stop 'numbers beside an array'
   call back(start)
   call check(gpuranmar_stream_get(stream, scalar))
   call same([scalar], wanted(1:1))
   call at(stream, start + 1)
   call check(gpuranmar_initialise(4, ij, kl, 1, 0_int64))
   call check(gpuranmar_get(4, cube(1, 1:2, 1:2)))
   call check(gpuranmar_get_unbuffered(4, cube(2, 1:2, 1:2)))
   call back(0_int64)
   call check(gpuranmar_stream_get(stream, v))
   call same([cube(1, 1:2, 1:2), cube(2, 1:2, 1:2)], [v, cube(2, 2, 2)])

   options = gpuranmar_options(flavour=gpuranmar_single, backend=gpuranmar_cpu)
   call check(gpuranmar_stream_initialise(stream, options))
   call check(gpuranmar_stream_get(stream, q))
   call back(0_int64)
   call check(gpuranmar_stream_draw(stream, drawn_single, 10))
   r(:10) = drawn_single
   call check(gpuranmar_stream_fill(stream, r(11:)))
   call same(dble(r), dble(q))
   call back(0_int64)
   call check(gpuranmar_stream_get(stream, narrow))
   call same(dble(reshape(narrow, [4])), dble(q(:4)))

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
   call at(stream, 4_int64)
   call refused(gpuranmar_stream_restore(stream, saved(:40)), gpuranmar_bad_state)
   call refused(gpuranmar_initialise(1, 31329, 0, 1, 0_int64), gpuranmar_bad_argument)
   write (error_unit, '(a)') gpuranmar_version()

   ! A stream is closed where another takes its place. The numbers that all these have drawn would
   ! not fit into the memory that module.t allows.
   do i = 1, 100
      call check(gpuranmar_stream_initialise(stream))
      call check(gpuranmar_stream_draw(stream, drawn, 2**20))
      other = stream
      call check(gpuranmar_stream_draw(other, drawn, 2**20))
      call check(gpuranmar_stream_copy(third, other))
      third = third
      call check(gpuranmar_stream_draw(third, drawn, 2**20))
   end do
   call at(third, 3*2_int64**20)
   call gpuranmar_stream_close(other)
   call gpuranmar_stream_close(third)
   call known_answers

contains

   subroutine back(position)
      integer(int64), intent(in) :: position
      call check(gpuranmar_stream_seek(stream, position))
   end subroutine

   subroutine at(s, wanted)
      type(gpuranmar_stream), intent(in) :: s
      integer(int64), intent(in) :: wanted
      integer(int64) :: position
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

   ! csrc/definition/known_answers.txt, by the module's streams. Those of flavour double also by
   ! RMMAQD, and by gpuranmar_device, which jumps and goes on from the middle of its ring. The key
   ! 2**64 - 1 is read as text, since it is no int64.
   subroutine known_answers
      character(200) :: line
      character(8) :: flavour
      character(20) :: key
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
         read (line, '(a8, 1x, a20, 1x, i19)') flavour, key, options%position
         read (line(50:), merge('(6(1x, z6)) ', '(6(1x, z12))', flavour == 'single')) words
         if (key == '18446744073709551615') key = '-1'
         read (key, *) options%seed
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
         ! NTOT is in 1..10**9: RMMAQD prints a line if it is 0 and NTOT2 is not.
         iseed = int([options%seed, 1 + mod(options%position - 1, 10_int64**9), &
                      (options%position - 1)/10_int64**9])
         call rmmaqd(iseed, 5, 'S')
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
