! RMASET and RMASAVE of the one-number form (B. A. Berg, Markov Chain Monte Carlo Simulations and
! Their Statistical Analysis, World Scientific 2004): start, and the state in an unformatted file,
! as one record of U(97), C, CD, CM in DOUBLE PRECISION and the two ring indices.
module ranmar_one
   use, intrinsic :: iso_c_binding, only: c_double, c_int
   implicit none
   type, bind(c) :: engine_state
      real(c_double) :: u(97), c
      integer(c_int) :: i97, j97
   end type
   interface
      subroutine report(state) bind(c, name='ranmar_one_report')
         import :: engine_state
         type(engine_state), intent(out) :: state
      end subroutine
      subroutine adopt(state) bind(c, name='ranmar_one_adopt')
         import :: engine_state
         type(engine_state), intent(in) :: state
      end subroutine
   end interface
   real(c_double), parameter :: one = 16777216
   real(c_double), parameter :: cd = 7654321/one, cm = 16777213/one
end module

! RMASET(IUO,IUD,ISEED1,ISEED2,CFILE): goes on from the state in CFILE, read through unit IUD, if
! there is such a file, and starts from the seeds IJ = 1801 + ISEED1 and KL = 9373 + ISEED2 if not.
! Says which on unit IUO if that is above 5.
subroutine rmaset(iuo, iud, iseed1, iseed2, cfile)
   use ranmar_one
   implicit none
   integer :: iuo, iud, iseed1, iseed2
   character(*) :: cfile
   type(engine_state) :: state
   real(c_double) :: constants(2)
   logical :: there
   external :: rmarin

   inquire (file=cfile, exist=there)
   if (.not. there) then
      if (iuo > 5) write (iuo, *) 'RANMAR INITIALIZED.'
      call rmarin(iseed1 + 1801, iseed2 + 9373)
   else
      if (iuo > 5) write (iuo, *) 'MARSAGLIA CONTINUATION.'
      open (unit=iud, file=cfile, status='unknown', form='unformatted')
      rewind iud
      read (iud) state%u, state%c, constants, state%i97, state%j97
      close (iud)
      call adopt(state)
   end if
end subroutine

! RMASAVE(IUD,CFILE): writes the state to CFILE through unit IUD.
subroutine rmasave(iud, cfile)
   use ranmar_one
   implicit none
   integer :: iud
   character(*) :: cfile
   type(engine_state) :: state

   call report(state)
   open (unit=iud, file=cfile, status='unknown', form='unformatted')
   rewind iud
   write (iud) state%u, state%c, cd, cm, state%i97, state%j97
   close (iud)
end subroutine
