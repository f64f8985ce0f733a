! What the journal's RANMAR and RMARIN, KKMC's PseuMar_Initialize and CERNLIB's RM48 write to unit
! 6 when they start: many copies of the journal's text have these lines commented out.
#if defined FAMILY_kkmc
#define NAME 'pseumar_makevec_say'
#define SKIPPING ' rmarin skipping over '
#elif defined FAMILY_cernlib
#define NAME 'rm48_say'
#define FIRST ' RM48 INITIALIZED:'
#define SKIPPING ' RM48IN SKIPPING OVER '
#else
#define NAME 'ranmar_say'
#define FIRST ' RANMAR INITIALIZED:'
#define SKIPPING ' RMARIN SKIPPING OVER '
#endif
subroutine say(ijkl, ntot, ntot2) bind(c, name=NAME)
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   integer(c_int), value :: ijkl, ntot, ntot2
   integer :: lap, status
#ifdef FAMILY_kkmc
   write (6, '(a,5i10)') 'ranmar initialized: ij,kl,ijkl,ntot,ntot2=', ijkl/30082, &
      mod(ijkl, 30082), ijkl, ntot, ntot2
#else
   write (6, '(a,i10,2x,2i10)') FIRST, ijkl, ntot, ntot2
#endif
   do lap = 1, ntot2
      write (6, '(a,i15)') SKIPPING, 1000000000
   end do
   if (ntot > 0) write (6, '(a,i15)') SKIPPING, ntot
   ! If the main program is of another compiler, then its own unit 6 may write the next line.
   call get_command_argument(0, status=status)
   if (status /= 0) flush (6)
end subroutine
