! What the journal's RANMAR and RMARIN, and KKMC's PseuMar_Initialize, write to unit 6 when they
! start: many copies of the text have these lines commented out.
#ifdef FAMILY_kkmc
#define NAME 'pseumar_makevec_say'
#else
#define NAME 'ranmar_say'
#endif
subroutine say(ijkl, ntot, ntot2) bind(c, name=NAME)
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   integer(c_int), value :: ijkl, ntot, ntot2
   integer :: lap
#ifdef FAMILY_kkmc
   character(*), parameter :: skipping = ' rmarin skipping over '
   write (6, '(a,5i10)') 'ranmar initialized: ij,kl,ijkl,ntot,ntot2=', ijkl/30082, &
      mod(ijkl, 30082), ijkl, ntot, ntot2
#else
   character(*), parameter :: skipping = ' RMARIN SKIPPING OVER '
   write (6, '(a,i10,2x,2i10)') ' RANMAR INITIALIZED:', ijkl, ntot, ntot2
#endif
   do lap = 1, ntot2
      write (6, '(a,i15)') skipping, 1000000000
   end do
   if (ntot > 0) write (6, '(a,i15)') skipping, ntot
end subroutine
