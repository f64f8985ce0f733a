! An engine (gpuranmar_engine.h) in a Fortran module, for a program that calls routines which no
! library has: here CALL SETRAN(IJKL) and U = RANF().
module random
   use, intrinsic :: iso_c_binding
   implicit none
   private
   public :: setran, ranf
   integer(c_int64_t), save :: engine(1125) ! gpuranmar_engine, of 9000 bytes
   integer(c_int), parameter :: double = 0, smallest = 0 ! flavour, and what a zero becomes
   interface
      integer(c_int) function start(engine, routine, flavour, zero, seed, skip) &
         bind(c, name='gpuranmar_engine_start')
         import
         integer(c_int64_t) :: engine(*)
         character(kind=c_char), intent(in) :: routine(*)
         integer(c_int), value :: flavour, zero
         integer(c_int64_t), value :: seed, skip
      end function
      real(c_double) function next(engine) bind(c, name='gpuranmar_engine_double')
         import
         integer(c_int64_t) :: engine(*)
      end function
      subroutine stop_on(error) bind(c, name='gpuranmar_stop_on')
         import
         integer(c_int), value :: error
      end subroutine
   end interface
contains
   subroutine setran(ijkl)
      integer, intent(in) :: ijkl
      call stop_on(start(engine, 'SETRAN'//c_null_char, double, smallest, &
                         int(ijkl, c_int64_t), 0_c_int64_t))
   end subroutine
   double precision function ranf()
      ranf = next(engine)
   end function
end module

program engine_example
   use random
   implicit none
   double precision :: x(2)
   integer :: i, k, n
   call setran(1802)
   n = 0
   do i = 1, 1000000
      x = [(ranf(), k=1, 2)]
      if (sum(x**2) < 1) n = n + 1
   end do
   print '(i0,a)', n, ' of 1000000 points lie in the circle'
end program
