! What the journal's RANMAR and RMARIN write to unit 6 when they start: many copies of the text have
! these lines commented out.
subroutine say(ijkl, ntot, ntot2) bind(c, name='ranmar_cpc_say')
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   integer(c_int), value :: ijkl, ntot, ntot2
   integer :: lap

   write (6, '(a,i10,2x,2i10)') ' RANMAR INITIALIZED:', ijkl, ntot, ntot2
   do lap = 1, ntot2
      write (6, '(a,i15)') ' RMARIN SKIPPING OVER ', 1000000000
   end do
   if (ntot > 0) write (6, '(a,i15)') ' RMARIN SKIPPING OVER ', ntot
end subroutine
