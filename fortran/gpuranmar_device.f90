! RANMAR inside OpenMP target and OpenACC regions: the device draws the numbers of a sequence, bit
! for bit the same as the host. Compile this file with the program, for its device; no library is
! linked. Without a device the same code runs on the host.
!
!    use gpuranmar_device
!    type(ranmar_sequence) :: base, s
!    call ranmar_seed_state(base, ijkl)
!    call ranmar_powers(powers, bits, distance)            ! segments 0..2^bits-1
!    !$omp target teams distribute parallel do private(s) map(to: base, powers)
!    do i = 1, n
!       call ranmar_start(s, base, i - 1, distance, powers, bits)
!       u = ranmar_next(s)                                 ! up to `distance` of them
!    end do
!
! Each thread has its own sequence, or its own segment of one: 97 words of 8 bytes in its memory.
! (In CUDA the threads of a warp share one in registers, which is faster: docs/gpu.md.) The flavour
! is double. Sums and products of words are taken modulo 2^64: gfortran needs -fwrapv.
module gpuranmar_device
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   private

   public :: ranmar_sequence, ranmar_seed_state, ranmar_powers, ranmar_start, ranmar_next

   integer, parameter :: long_lag = 97, short_lag = 33
   integer(int64), parameter :: step = 7654321_int64, modulus = 16777213_int64
   integer(int64), parameter :: first = 362436_int64

   ! A sequence of the flavour double at a position.
   type :: ranmar_sequence
      integer(int64) :: x(0:long_lag - 1) ! the words, 48-bit integers, in a ring
      integer(int64) :: c                 ! arithmetic part of the last number
      integer :: oldest                   ! index of the oldest word in the ring
   end type

   integer(int64), parameter :: mask = 281474976710655_int64

contains

   ! The state at position 0 of the seed 30082*ij + kl, 0..942438977 (James 1990). Call it on the
   ! host.
   subroutine ranmar_seed_state(s, ijkl)
      type(ranmar_sequence), intent(out) :: s
      integer(int64), intent(in) :: ijkl
      integer :: ij, kl, i, j, k, l, m, w, b
      integer(int64) :: word
      ij = int(ijkl/30082)
      kl = int(mod(ijkl, 30082_int64))
      i = mod(ij/177, 177) + 2
      j = mod(ij, 177) + 2
      k = mod(kl/169, 178) + 1
      l = mod(kl, 169)
      do w = long_lag - 1, 0, -1
         word = 0
         do b = 1, 48
            m = mod(mod(i*j, 179)*k, 179)
            i = j
            j = k
            k = m
            l = mod(53*l + 1, 169)
            word = 2*word + merge(1, 0, mod(l*m, 64) >= 32)
         end do
         s%x(w) = word
      end do
      s%c = first
      s%oldest = 0
   end subroutine

   ! The polynomials t^(2^b * distance) mod t^97 + t^64 - 1, b = 0..bits-1, from which ranmar_start
   ! composes the jump to a segment. Call it once, on the host.
   subroutine ranmar_powers(p, bits, distance)
      integer, intent(in) :: bits
      integer(int64), intent(out) :: p(0:long_lag - 1, 0:bits - 1)
      integer(int64), intent(in) :: distance ! 0..2^63-1
      integer(int64) :: t(0:long_lag - 1), power(0:long_lag - 1), left
      integer :: b
      t = 0
      t(1) = 1
      power = 0
      power(0) = 1
      left = distance
      do while (left > 0)
         if (mod(left, 2_int64) == 1) call multiply(power, t)
         call multiply(t, t)
         left = left/2
      end do
      do b = 0, bits - 1
         p(:, b) = power
         call multiply(power, power)
      end do
   end subroutine

   ! a = a*b mod t^97 + t^64 - 1, coefficients mod 2^48.
   subroutine multiply(a, b)
      integer(int64), intent(inout) :: a(0:long_lag - 1)
      integer(int64), intent(in) :: b(0:long_lag - 1)
      integer(int64) :: q(0:2*long_lag - 2)
      integer :: i, k
      q = 0
      do i = 0, long_lag - 1
         q(i:i + long_lag - 1) = q(i:i + long_lag - 1) + a(i)*b
      end do
      do k = 2*long_lag - 2, long_lag, -1 ! t^97 = 1 - t^64
         q(k - long_lag) = q(k - long_lag) + q(k)
         q(k - short_lag) = q(k - short_lag) - q(k)
      end do
      a = iand(q(0:long_lag - 1), mask)
   end subroutine

   ! Sets s to `base` advanced by segment*distance numbers; p has the powers of that distance, and
   ! segment is in 0..2^bits-1. For device and host.
   subroutine ranmar_start(s, base, segment, distance, p, bits)
      !$omp declare target
      !$acc routine seq
      type(ranmar_sequence), intent(out) :: s
      type(ranmar_sequence), intent(in) :: base
      integer(int64), intent(in) :: segment, distance
      integer, intent(in) :: bits
      integer(int64), intent(in) :: p(0:long_lag - 1, 0:bits - 1)
      integer(int64) :: x(0:2*long_lag - 2), stride
      integer :: b, i, j
      do i = 0, long_lag - 1
         x(i) = base%x(mod(base%oldest + i, long_lag))
      end do
      do b = 0, bits - 1
         if (.not. btest(segment, b)) cycle
         do i = long_lag, 2*long_lag - 2
            x(i) = x(i - long_lag) - x(i - short_lag)
         end do
         do i = 0, long_lag - 1
            s%x(i) = 0
            do j = 0, long_lag - 1
               s%x(i) = s%x(i) + p(j, b)*x(i + j)
            end do
         end do
         do i = 0, long_lag - 1
            x(i) = iand(s%x(i), mask)
         end do
      end do
      do i = 0, long_lag - 1
         s%x(i) = x(i)
      end do
      s%oldest = 0
      ! Each factor is below 2^24, so that no product overflows.
      stride = mod(mod(segment, modulus)*mod(distance, modulus), modulus)
      s%c = modulo(base%c - mod(stride*step, modulus), modulus)
   end subroutine

   ! The next number, in (0,1). For device and host.
   real(real64) function ranmar_next(s) result(u)
      !$omp declare target
      !$acc routine seq
      type(ranmar_sequence), intent(inout) :: s
      integer(int64) :: x
      integer :: young
      young = s%oldest + long_lag - short_lag
      if (young >= long_lag) young = young - long_lag
      x = iand(s%x(s%oldest) - s%x(young), mask)
      s%x(s%oldest) = x
      s%oldest = s%oldest + 1
      if (s%oldest == long_lag) s%oldest = 0
      s%c = s%c - step
      if (s%c < 0) s%c = s%c + modulus
      x = iand(x - ishft(s%c, 24), mask)
      if (x == 0) x = 1
      u = real(x, real64)*2.0_real64**(-48)
   end function
end module
