! What the journal's RANMAR and RMARIN, KKMC's PseuMar_Initialize and CERNLIB's RM48IN write to unit
! 6 when they start: many copies of the journal's text have these lines commented out.
#if defined FAMILY_kkmc
#define NAME 'pseumar_makevec_say'
#elif defined FAMILY_cernlib
#define NAME 'rm48_say'
#define FIRST ' RM48 INITIALIZED:'
#else
#define NAME 'ranmar_say'
#define FIRST ' RANMAR INITIALIZED:'
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
   write (6, '(a,i10,2x,2i10)') FIRST, ijkl, ntot, ntot2
#endif
#ifdef FAMILY_cernlib
   return
#endif
   do lap = 1, ntot2
      write (6, '(a,i15)') skipping, 1000000000
   end do
   if (ntot > 0) write (6, '(a,i15)') skipping, ntot
end subroutine
