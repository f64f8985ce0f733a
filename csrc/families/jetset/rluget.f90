! RLUGET(LFN,MOVE) and RLUSET(LFN,MOVE): the state of RLU to and from the unformatted file on unit LFN, as
! one record of MR(1:5) and RR. MOVE < 0 goes back by that many records first; RLUSET with MOVE > 0
! passes over that many. MR(6) counts the records up to where the file stands.
module ranmar_rlu
   use, intrinsic :: iso_c_binding, only: c_int, c_float, c_char, c_null_char
   implicit none
   integer(c_int) :: mr(6)
   real(c_float) :: rr(100)
   common /ludatr/ mr, rr
   interface
      subroutine report() bind(c, name='ranmar_rlu_report')
      end subroutine
      subroutine stop_with(format, line) bind(c, name='gpuranmar_stop')
         import :: c_char
         character(kind=c_char), intent(in) :: format(*), line(*)
      end subroutine
   end interface
contains
   subroutine check(routine, iostat, iomsg)
      character(*), intent(in) :: routine, iomsg
      integer, intent(in) :: iostat
      if (iostat /= 0) call stop_with('%s'//c_null_char, routine//': unit LFN: '//trim(iomsg)//c_null_char)
   end subroutine
   subroutine back(routine, lfn, move)
      character(*), intent(in) :: routine
      integer, intent(in) :: lfn, move
      integer :: n, iostat
      character(150) :: iomsg
      if (move >= 0) return
      do n = 1, min(mr(6), -move)
         backspace (lfn, iostat=iostat, iomsg=iomsg)
         call check(routine, iostat, iomsg)
      end do
      mr(6) = mr(6) - min(mr(6), -move)
   end subroutine
end module

subroutine rluget(lfn, move)
   use ranmar_rlu
   implicit none
   integer :: lfn, move, iostat
   character(150) :: iomsg

   call back('RLUGET', lfn, move)
   call report()
   write (lfn, iostat=iostat, iomsg=iomsg) mr(:5), rr
   call check('RLUGET', iostat, iomsg)
   mr(6) = mr(6) + 1
end subroutine

subroutine rluset(lfn, move)
   use ranmar_rlu
   implicit none
   integer :: lfn, move, n, iostat
   character(150) :: iomsg

   call back('RLUSET', lfn, move)
   do n = 1, 1 + max(0, move)
      read (lfn, iostat=iostat, iomsg=iomsg) mr(:5), rr
      call check('RLUSET', iostat, iomsg)
      mr(6) = mr(6) + 1
   end do
end subroutine
