! A Fortran program as a batch system kills it: restart_fortran LAP BATCHES draws by RMMARD from two
! sequences, batch by batch. Of each batch it writes one line to the file `output`, and then a
! checkpoint by RMMAQD's 'RV', whole or not at all. Where there is a checkpoint it goes on from
! there, by 'SV'.
program restart_fortran
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function fsync(file) bind(c)
         import :: c_int
         integer(c_int), value :: file
      end function
      integer(c_int) function rename_file(from, to) bind(c, name='rename')
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: from(*), to(*)
      end function
   end interface
   integer, parameter :: sequences = 2, most = 2500, line_length = 16*sequences
   character(20) :: word
   character(line_length) :: line
   double precision :: u(most)
   integer :: lap, batches, batch, k, i, n, seed(3), id
   integer(8) :: sum
   logical :: there

   call get_command_argument(1, word)
   read (word, *) lap
   call get_command_argument(2, word)
   read (word, *) batches

   batch = 0
   inquire (file='checkpoint', exist=there)
   if (there) then
      call load
   else
      do k = 1, sequences
         seed = [54217137 + 1009*lap + k, 1000*k, 0]
         call rmmaqd(seed, k, 'S')
      end do
   end if
   open (12, file='output', access='direct', form='unformatted', recl=line_length + 1)
   do while (batch < batches)
      do k = 1, sequences
         sum = 0
         do i = 1, 40
            n = choose(k, i)
            call rmmard(u, n, k)
            sum = ieor(ishftc(sum, 7), digest(u(:n)))
         end do
         write (line(16*k - 15:16*k), '(z16.16)') sum
      end do
      batch = batch + 1
      write (12, rec=batch) line//new_line('a')
      flush (12)
      if (fsync(fnum(12)) /= 0) error stop 'output cannot be written'
      call save
   end do

contains

   ! How many numbers: mostly few, now and then more than the window has.
   integer function choose(k, i)
      integer, intent(in) :: k, i
      integer(8) :: c
      c = mod(int(lap, 8)*7919 + int(batch, 8)*104729 + k*1299709 + i*15485863, 2147483647_8)
      c = mod(c*48271, 2147483647_8)
      choose = merge(int(mod(c, 4_8)), int(mod(c, int(most, 8))), mod(c, 16_8) /= 0)
   end function

   integer(8) function digest(u)
      double precision, intent(in) :: u(:)
      integer :: j
      digest = 0
      do j = 1, size(u)
         digest = ieor(ishftc(digest, 9), int(u(j)*281474976710656d0, 8))
      end do
   end function

   ! The state of each sequence, one behind the other on unit 11.
   subroutine save
      open (11, file='checkpoint.new', status='replace')
      write (11, '(i12)') batch
      do id = 1, sequences
         call rmmaqd(seed, id, 'RV')
      end do
      flush (11)
      if (fsync(fnum(11)) /= 0) error stop 'checkpoint.new cannot be written'
      close (11)
      if (rename_file('checkpoint.new'//c_null_char, 'checkpoint'//c_null_char) /= 0) &
         error stop 'checkpoint cannot be replaced'
   end subroutine

   subroutine load
      open (11, file='checkpoint', status='old')
      read (11, '(i12)') batch
      do id = 1, sequences
         call rmmaqd(seed, id, 'SV')
      end do
      close (11)
   end subroutine

end program
