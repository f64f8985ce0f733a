! The Fortran module: explicit interfaces for RMMARD and RMMAQD, and for the C library's streams.
module gpuranmar
   use, intrinsic :: iso_c_binding
   implicit none

   interface
      subroutine rmmard(rvec, lenv, iseq)
         import :: c_double, c_int
         integer(c_int) :: lenv, iseq
         real(c_double) :: rvec(*)
      end subroutine
      subroutine rmmaqd(iseed, iseq, chopt)
         import :: c_int
         integer(c_int) :: iseed(3), iseq
         character(*) :: chopt
      end subroutine
   end interface
end module
