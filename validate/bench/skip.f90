! How long RMMAQD takes to start a sequence and skip: skip NTOT NTOT2. Prints nanoseconds, the
! median of three. Linked with the reference, with the library, and with an empty function.
program skip
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer(int64) :: from, to, rate
   integer :: seed(3), ntot, ntot2, i
   real(real64) :: t(3)
   character(20) :: text

   call get_command_argument(1, text)
   read (text, *) ntot
   call get_command_argument(2, text)
   read (text, *) ntot2
   call system_clock(count_rate=rate)
   do i = 1, 3
      seed = [54217137 + i, ntot, ntot2]
      call system_clock(from)
      call rmmaqd(seed, 1, 'S')
      call system_clock(to)
      t(i) = real(to - from, real64)/real(rate, real64)*1.0e9_real64
   end do
   print '(f0.1)', max(min(t(1), t(2)), min(max(t(1), t(2)), t(3)))
end program
