! Stops in the middle. With an argument it does so after a number that was drawn has been made
! wrong, in the window of sequence 2, and with a file left open.
program report_stop
   implicit none
   double precision :: u(10), buffer(1024, 64)
   integer :: pos(64), seed(3) = [54217137, 5, 0]
   common /grncom/ buffer, pos
   call rmmaqd(seed, 2, 'S')
   call rmmard(u, 10, 2)
   if (command_argument_count() == 0) stop 4
   buffer(15, 2) = 0.5d0
   call rmmard(u, 10, 2)
   open (20, file='output')
   write (20, '(a)') 'all of it'
end program
