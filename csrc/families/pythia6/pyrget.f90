! PYRGET(LFN,MOVE) and PYRSET(LFN,MOVE): the state of PYR to and from the unformatted file on unit LFN, as
! one record of MR(1:5) and RR. MOVE < 0 goes back by that many records first; PYRSET with MOVE > 0
! passes over that many. MR(6) counts the records up to where the file stands.
module ranmar_pyr
   use, intrinsic :: iso_c_binding, only: c_int, c_double, c_char, c_null_char
   implicit none
   integer(c_int) :: mr(6)
   real(c_double) :: rr(100)
   common /pydatr/ mr, rr
   interface
      subroutine report() bind(c, name='ranmar_pyr_report')
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

subroutine pyrget(lfn, move)
   use ranmar_pyr
   implicit none
   integer :: lfn, move, iostat
   character(150) :: iomsg

   call back('PYRGET', lfn, move)
   call report()
   write (lfn, iostat=iostat, iomsg=iomsg) mr(:5), rr
   call check('PYRGET', iostat, iomsg)
   mr(6) = mr(6) + 1
end subroutine

subroutine pyrset(lfn, move)
   use ranmar_pyr
   implicit none
   integer :: lfn, move, n, iostat
   character(150) :: iomsg

   call back('PYRSET', lfn, move)
   do n = 1, 1 + max(0, move)
      read (lfn, iostat=iostat, iomsg=iomsg) mr(:5), rr
      call check('PYRSET', iostat, iomsg)
      mr(6) = mr(6) + 1
   end do
end subroutine
