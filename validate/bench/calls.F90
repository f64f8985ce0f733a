! How long a call of RMMARD takes: calls LENV [CHUNKS]. Prints nanoseconds a call, a figure for each
! of many short chunks of calls. Linked with the reference, with the library, or with an empty
! function; with -DINLINE it draws from the COMMON of the library itself, as patched code does.
program calls
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer, parameter :: sequence = 2
   integer(int64) :: from, to, rate
   integer :: lenv, chunks, chunk, per_chunk, i, bad, seed(3)
   real(real64), allocatable :: v(:), ns(:)
   character(20) :: text
#ifdef INLINE
   integer, parameter :: grnwin = 1024, grnmax = 256 ! of gpuranmar.inc
   real(real64) :: grnbuf(-grnwin:-1, grnmax)
   integer :: grnpos(grnmax), j
   common /grncom/ grnbuf, grnpos
#endif

   call get_command_argument(1, text)
   read (text, *) lenv
   chunks = 101
   if (command_argument_count() > 1) then
      call get_command_argument(2, text)
      read (text, *) chunks
   end if
   per_chunk = max(1, 40000/(lenv + 1)) ! tens of microseconds, shorter than a time slice
   allocate (v(lenv), ns(chunks))
   v = 0.5_real64
   seed = [1234567, 0, 0]
   call rmmaqd(seed, sequence, 'S')
   call system_clock(count_rate=rate)

   ! The loop must neither wait for the number, as a sum would, nor leave it unused.
   bad = 0
   do chunk = 1, chunks
      call system_clock(from)
      do i = 1, per_chunk
#ifdef INLINE
         do j = 1, lenv
            if (grnpos(sequence) == 0) call grnfl1(sequence, grnpos)
            v(j) = grnbuf(grnpos(sequence), sequence)
            grnpos(sequence) = grnpos(sequence) + 1
         end do
#else
         call rmmard(v, lenv, sequence)
#endif
         if (v(lenv) > 1.0_real64) bad = bad + 1
      end do
      call system_clock(to)
      ns(chunk) = real(to - from, real64)/real(rate, real64)*1.0e9_real64/per_chunk
   end do
   if (bad > 0) error stop 'calls: a number above 1'
   print '(*(f0.4, 1x))', ns

end program
