! RM48IN: starts the sequence of RM48, and writes CERNLIB's line about it to unit 6.
!
!   I1      seed, 0..900000000
!   N1, N2  numbers to skip, N2*10**9 + N1; negative ones count as 0
!
! CERNLIB's own code skips (N2+1)*N1 numbers when N2 is positive, which is not what its description
! says. A program that needs so many skipped calls RM48IN(I1,0,0) and draws them, or gives their
! count as N1 with N2 = 0.
subroutine rm48in(i1, n1, n2)
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   integer :: i1, n1, n2

   interface
      subroutine start(i1, n1, n2) bind(c, name='ranmar_rm48_start')
         import :: c_int
         integer(c_int), value :: i1, n1, n2
      end subroutine
   end interface

   call start(i1, max(n1, 0), max(n2, 0))
   write (6, "(' RM48 INITIALIZED:',i10,2x,2i10)") i1, max(n1, 0), max(n2, 0)
end subroutine
