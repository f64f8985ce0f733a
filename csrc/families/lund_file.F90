! GET(LFN,MOVE) and SET(LFN,MOVE), that is PYRGET and PYRSET or RLUGET and RLUSET. GET writes the
! state to the unformatted file on unit LFN, as one record of MR(1:5) and RR; SET reads it. With
! MOVE < 0, both first go back by that many records. SET with MOVE > 0 passes over that many
! records. MR(6) counts the records before the present position of the file.
#ifdef FAMILY_pythia6
#define FILES ranmar_pyr_files
#define MODULE ranmar_pyr
#define GET pyrget
#define SET pyrset
#define DRAW 'PYR'
#define BLOCK pydatr
#define NUMBER c_double
#define REPORT 'ranmar_pyr_report'
#else
#define FILES ranmar_rlu_files
#define MODULE ranmar_rlu
#define GET rluget
#define SET rluset
#define DRAW 'RLU'
#define BLOCK ludatr
#ifdef FAMILY_sophia
#define NUMBER c_double
#else
#define NUMBER c_float
#endif
#define REPORT 'ranmar_rlu_report'
#endif
#include "files.inc"
module MODULE
   use FILES
   implicit none
   integer(c_int) :: mr(6)
   real(NUMBER) :: rr(100)
   common /BLOCK/ mr, rr
   interface
      subroutine report() bind(c, name=REPORT)
      end subroutine
   end interface
contains
   subroutine back(routine, lfn, move)
      character(*), intent(in) :: routine
      integer, intent(in) :: lfn, move
      integer :: n
      call check_unit_is_known(lfn, iostat, iomsg)
      call check(DRAW//routine//': unit LFN')
      do n = 1, min(mr(6), -move)
         backspace (lfn, iostat=iostat, iomsg=iomsg)
         call check(DRAW//routine//': unit LFN')
         mr(6) = mr(6) - 1
      end do
   end subroutine
end module

subroutine GET(lfn, move)
   use MODULE
   implicit none
   integer :: lfn, move

   call back('GET', lfn, move)
   call report()
   write (lfn, iostat=iostat, iomsg=iomsg) mr(:5), rr
   call check(DRAW//'GET: unit LFN')
   call check_written(DRAW//'GET', lfn)
   mr(6) = mr(6) + 1
end subroutine

subroutine SET(lfn, move)
   use MODULE
   implicit none
   integer :: lfn, move, n

   call back('SET', lfn, move)
   do n = 1, 1 + max(0, move)
      read (lfn, iostat=iostat, iomsg=iomsg) mr(:5), rr
      call check(DRAW//'SET: unit LFN')
      mr(6) = mr(6) + 1
   end do
end subroutine
