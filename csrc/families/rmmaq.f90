! RMMAQ: starts and reports the numbered sequences that RMMAR draws from; docs/fortran.md has the
! arguments. It is in Fortran because CHOPT is a CHARACTER argument; the rest is in rmmar.c.
subroutine rmmaq(iseed, iseq, chopt)
   use, intrinsic :: iso_c_binding, only: c_char, c_int
   implicit none
   integer :: iseed(*), iseq
   character(*) :: chopt
   character(12) :: options

   interface
      subroutine rmmaq_options(iseed, iseq, options) bind(c, name='ranmar_rmmaq')
         import :: c_char, c_int
         integer(c_int) :: iseed(*), iseq
         character(kind=c_char), intent(in) :: options(12)
      end subroutine
   end interface

   options = chopt
   call rmmaq_options(iseed, iseq, options)
end subroutine
