! RMASET and RMASAVE, for the RANMAR that returns one number (B. A. Berg, Markov Chain Monte Carlo
! Simulations and Their Statistical Analysis, World Scientific 2004). They start the sequence, and
! keep its state in an unformatted file: one record of U(97), C, CD, CM in DOUBLE PRECISION and the
! two ring indices.
#define FILES ranmar_one_files
#include "files.inc"
module ranmar_one
   use FILES
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

! RMASET(IUO,IUD,ISEED1,ISEED2,CFILE): if the file CFILE exists, reads the state in it through unit
! IUD and goes on from there. Otherwise starts from the seeds IJ = 1801 + ISEED1 and KL = 9373 +
! ISEED2. If IUO is above 5, reports on unit IUO which of the two it did.
subroutine rmaset(iuo, iud, iseed1, iseed2, cfile)
   use ranmar_one
   implicit none
   integer :: iuo, iud, iseed1, iseed2
   character(*) :: cfile
   type(engine_state) :: state
   real(c_double) :: constants(2)
   logical :: there
   external :: rmarin

   if (iuo > 5) call check_unit_is_known(iuo, iostat, iomsg)
   if (iuo > 5) call check('RMASET: unit IUO')
   inquire (file=cfile, exist=there)
   if (.not. there) then
      if (iuo > 5) write (iuo, *) 'RANMAR INITIALIZED.'
      call rmarin(iseed1 + 1801, iseed2 + 9373)
   else
      if (iuo > 5) write (iuo, *) 'MARSAGLIA CONTINUATION.'
      open (iud, file=cfile, status='unknown', form='unformatted', iostat=iostat, iomsg=iomsg)
      call check('RMASET: the file '//trim(cfile))
      rewind iud
      read (iud, iostat=iostat, iomsg=iomsg) state%u, state%c, constants, state%i97, state%j97
      call check('RMASET: the file '//trim(cfile))
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
   open (iud, file=cfile, status='unknown', form='unformatted', iostat=iostat, iomsg=iomsg)
   call check('RMASAVE: the file '//trim(cfile))
   rewind iud
   write (iud, iostat=iostat, iomsg=iomsg) state%u, state%c, cd, cm, state%i97, state%j97
   call check('RMASAVE: the file '//trim(cfile))
   call check_written('RMASAVE', iud)
   close (iud)
end subroutine
