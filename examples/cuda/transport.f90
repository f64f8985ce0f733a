! The cascade of transport.h in Fortran, on the device that OpenMP (-fopenmp) or OpenACC (-fopenacc)
! offloads to, or else on the host. What a warp does in transport.cu, one thread does here: it
! follows a group of showers with that group's segment of the sequence. The deposits are those of
! transport.cu and transport_cpu.c, bit for bit.
!
!    transport [groups]      2112 unless given: the warps of a GPU of 132 multiprocessors
module transport
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use gpuranmar_device
   implicit none

   integer, parameter :: lanes = 32, bins = 40, stack_size = 512
   integer(int64), parameter :: distance = 2_int64**30
   real(real64), parameter :: unit = 1048576

   type :: particle
      real(real64) :: energy = 0, depth = 0
      logical :: photon = .false.
   end type

contains

   ! As transport_log() of transport.h, operation by operation.
   real(real64) function transport_log(u) result(log_u)
      !$omp declare target
      !$acc routine seq
      real(real64), intent(in) :: u
      integer(int64) :: bits
      real(real64) :: m, s, q
      bits = transfer(u, bits)
      m = transfer(ior(iand(bits, int(z'000fffffffffffff', int64)), &
                       int(z'3ff0000000000000', int64)), m)
      s = (m - 1)/(m + 1)
      q = s*s
      log_u = 2*s*(1 + q*(1.0_real64/3 + q*(1.0_real64/5 + q*(1.0_real64/7 + q*(1.0_real64/9 &
         + q/11)))))
      log_u = real(ishft(bits, -52) - 1023, real64)*0.69314718055994531_real64 + log_u
   end function

   integer function bin_of(depth)
      !$omp declare target
      !$acc routine seq
      real(real64), intent(in) :: depth
      bin_of = bins
      if (depth < bins - 1) bin_of = int(depth) + 1
   end function

   ! Follows showers first, first + stride, ... below `last`. Adds what they deposit to `deposits`,
   ! and counts the steps made.
   subroutine follow(s, first, stride, last, deposits, steps)
      !$omp declare target
      !$acc routine seq
      type(ranmar_sequence), intent(inout) :: s
      integer(int64), intent(in) :: first, stride, last
      integer(int64), intent(inout) :: deposits(bins)
      integer(int64), intent(out) :: steps
      type(particle) :: p(lanes), stack(stack_size), made
      logical :: splits(lanes), busy
      integer(int64) :: shower, deposit
      integer :: l, waiting, b
      real(real64) :: path, loss, share
      do l = 1, lanes
         p(l)%energy = 0
      end do
      shower = first
      waiting = 0
      steps = 0
      do
         busy = .false.
         do l = 1, lanes
            if (p(l)%energy <= 0 .and. waiting > 0) then
               p(l) = stack(waiting)
               waiting = waiting - 1
            end if
            busy = busy .or. p(l)%energy > 0
         end do
         if (.not. busy) then
            if (shower >= last) exit
            p(1)%energy = 20000 + 1000*real(mod(shower, 10_int64), real64)
            p(1)%depth = 0
            p(1)%photon = .true.
            shower = shower + stride
         end if
         do l = 1, lanes
            splits(l) = .false.
            if (.not. p(l)%energy > 0) cycle
            path = -transport_log(ranmar_next(s))*merge(9.0_real64/7, 1.0_real64, p(l)%photon)
            p(l)%depth = p(l)%depth + path
            b = bin_of(p(l)%depth)
            deposit = 0
            if (.not. p(l)%photon) then
               loss = min(80*path, p(l)%energy)
               deposit = int(loss*unit, int64)
               p(l)%energy = p(l)%energy - loss
            end if
            if (p(l)%energy < 10) then
               deposit = deposit + int(p(l)%energy*unit, int64)
               p(l)%energy = 0
            end if
            deposits(b) = deposits(b) + deposit
            splits(l) = p(l)%energy > 0
            steps = steps + 1
         end do
         do l = 1, lanes
            if (.not. splits(l)) cycle
            share = ranmar_next(s)
            if (.not. p(l)%photon) share = share*share
            made%energy = p(l)%energy*share
            made%depth = p(l)%depth
            made%photon = .not. p(l)%photon
            p(l)%energy = p(l)%energy - made%energy
            p(l)%photon = .false.
            if (waiting < stack_size) then
               waiting = waiting + 1
               stack(waiting) = made
            else
               b = bin_of(made%depth)
               deposits(b) = deposits(b) + int(made%energy*unit, int64)
            end if
         end do
      end do
   end subroutine
end module

program transport_fortran
   use transport
#ifdef _OPENACC
   use openacc
#else
   use omp_lib
#endif
   implicit none
#ifdef _OPENACC
   character(*), parameter :: model = 'OpenACC'
#else
   character(*), parameter :: model = 'OpenMP'
#endif
   integer, parameter :: bits = 16
   integer(int64), parameter :: showers = 20000
   integer(int64) :: groups, g, steps, begin, end, rate, all_steps
   integer(int64) :: powers(0:96, 0:bits - 1)
   integer(int64), allocatable :: deposits(:, :), made(:)
   type(ranmar_sequence) :: base, s
   character(20) :: argument
   logical :: on_host
   integer :: b, run

   groups = 2112
   if (command_argument_count() > 0) then
      call get_command_argument(1, argument)
      read (argument, *) groups
   end if
   allocate (deposits(bins, groups), made(groups))
   call ranmar_seed_state(base, 54217137_int64)
   call ranmar_powers(powers, bits, distance)
   do run = 1, 2 ! the first warms up
      deposits = 0
      call system_clock(begin, rate)
      !$omp target teams distribute parallel do private(s, steps) map(to: base, powers) &
      !$omp map(tofrom: deposits) map(from: made, on_host)
      !$acc parallel loop private(s, steps) copyin(base, powers) copy(deposits) &
      !$acc copyout(made, on_host)
      do g = 1, groups
         call ranmar_start(s, base, g - 1, distance, powers, bits)
         call follow(s, g - 1, groups, showers, deposits(:, g), steps)
         made(g) = steps
#ifdef _OPENACC
         if (g == 1) on_host = acc_on_device(acc_device_host)
#else
         if (g == 1) on_host = omp_is_initial_device()
#endif
      end do
      call system_clock(end)
   end do
   all_steps = sum(made)
   print '(a,i0,a,i0,a,f0.1,a)', '# '//model//', ', showers, ' showers, ', all_steps, &
      ' steps on the '//trim(merge('host  ', 'device', on_host))//': ', &
      1e3*real(end - begin)/real(rate), ' ms'
   do b = 1, bins
      print '(a,i0,1x,i0)', 'bin ', b - 1, sum(deposits(b, :))
   end do
   print '(a,i0)', 'steps ', all_steps
end program
