! What starting a program costs: start [NUMBERS]. Without an argument it ends at once; otherwise it
! starts a sequence and draws so many numbers from it, one at a time.
program start
   use, intrinsic :: iso_fortran_env, only: real64
   implicit none
   integer :: seed(3), i, numbers
   real(real64) :: r(1)
   character(20) :: text

   if (command_argument_count() == 0) stop
   call get_command_argument(1, text)
   read (text, *) numbers
   seed = [1234567, 0, 0]
   call rmmaqd(seed, 1, 'S')
   do i = 1, numbers
      call rmmard(r, 1, 1)
   end do
   print '(es24.16)', r
end program
