! Stops in the middle.
program report_stop
   implicit none
   double precision :: u(10)
   integer :: seed(3) = [54217137, 5, 0]
   call rmmaqd(seed, 2, 'S')
   call rmmard(u, 10, 2)
   stop 4
end program
