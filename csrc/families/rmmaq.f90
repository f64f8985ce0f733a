! RMMAQ: starts and reports the numbered sequences that RMMAR draws from. It is in Fortran because
! CHOPT is a CHARACTER argument; the rest is in csrc/families/rmmar.c.
!
!   ISEED  seed IJKL (0 or more), NTOT and NTOT2: NTOT + 10^9 NTOT2 numbers to skip, or drawn so far
!   ISEQ   the sequence, 1..KSEQ; if not positive, the one used last
!   CHOPT  ' '  start sequence ISEQ, or 1 if ISEQ is not positive, from the default seed; set
!               ISEED to it
!          'S'  start the sequence from ISEED
!          'R'  report it; ISEQ is set to its number
!          'SV', 'RV'  the same with the complete Fortran state, in ISEED(103): IJKL, NTOT, NTOT2,
!               U(97) and C as the bits of REALs, I97, J97
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
