! How long it takes to start a sequence and draw from it: starts POSITION NUMBERS. Prints
! microseconds a start, a figure for each of some chunks of starts. With -DFAMILY_name it calls the
! routines of that family, and RMMAQD and RMMARD without. It is linked with the original or with the
! library.
program starts
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer, parameter :: chunks = 11
   integer(int64) :: from, to, rate
   integer :: position, n, chunk, per_chunk, i
   real(real64) :: us(chunks)
   character(20) :: text
#ifdef FAMILY_cernlib
   real, allocatable :: v(:)
#else
   double precision, allocatable :: v(:)
#endif

   call get_command_argument(1, text)
   read (text, *) position
   call get_command_argument(2, text)
   read (text, *) n
   allocate (v(max(n, position)))
   per_chunk = 40000/(n + 1000)
   call system_clock(count_rate=rate)
   do chunk = 1, chunks
      call system_clock(from)
      do i = 1, per_chunk
#if defined FAMILY_cernlib
         call rmarin(1000000*chunk + i, position, 0)
         call ranmar(v, n)
#elif defined FAMILY_double
         call rmarin(100*chunk + i, 9373)
         call ranmar(v, position) ! this family's RMARIN cannot skip
         call ranmar(v, n)
#else
         call rmmaqd([1000000*chunk + i, position, 0], 2, 'S')
         call rmmard(v, n, 2)
#endif
      end do
      call system_clock(to)
      us(chunk) = real(to - from, real64)/real(rate, real64)*1.0e6_real64/per_chunk
      if (v(n) > 1.0) error stop 'starts: a number above 1'
   end do
   print '(*(f0.4, 1x))', us

end program
