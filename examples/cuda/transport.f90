! The neutrons of transport_cpu.c on the device that OpenMP (-fopenmp) or OpenACC (-fopenacc)
! offloads to, or else on the host. One thread follows all 32 lanes of a group.
module transport
   use, intrinsic :: iso_fortran_env, only: int64
   use gpuranmar_device
   implicit none

   integer, parameter :: lanes = 32, neutrons = 50, last_bin = 39
   integer(int64), parameter :: groups = 2112, distance = 2_int64**30

contains

   subroutine follow(s, counts)
      !$omp declare target
      !$acc routine seq
      type(ranmar_sequence), intent(inout) :: s
      integer(int64), intent(inout) :: counts(0:last_bin)
      integer :: layer(lanes), left(lanes), l
      logical :: scatters(lanes), busy
      do l = 1, lanes
         layer(l) = 1
         left(l) = neutrons
      end do
      busy = .true.
      do while (busy)
         busy = .false.
         do l = 1, lanes
            scatters(l) = .false.
            if (left(l) > 0) scatters(l) = ranmar_next(s) >= 0.02d0
         end do
         do l = 1, lanes
            if (left(l) == 0) cycle
            if (scatters(l)) layer(l) = layer(l) + merge(-1, 1, ranmar_next(s) < 0.5d0)
            if (.not. scatters(l) .or. layer(l) == 0 .or. layer(l) == last_bin) then
               counts(layer(l)) = counts(layer(l)) + 1
               layer(l) = 1
               left(l) = left(l) - 1
            end if
            busy = busy .or. left(l) > 0
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
   integer, parameter :: bits = 12
   integer(int64) :: powers(0:96, 0:bits - 1), counts(0:last_bin, groups), g
   type(ranmar_sequence) :: base, s
   logical :: on_host
   integer :: b

   call ranmar_seed_state(base, 54217137_int64)
   call ranmar_powers(powers, bits, distance)
   counts = 0
   !$omp target teams distribute parallel do private(s) map(to: base, powers) &
   !$omp map(tofrom: counts) map(from: on_host)
   !$acc parallel loop private(s) copyin(base, powers) copy(counts) copyout(on_host)
   do g = 1, groups
      call ranmar_start(s, base, g - 1, distance, powers, bits)
      call follow(s, counts(:, g))
#ifdef _OPENACC
      if (g == 1) on_host = acc_on_device(acc_device_host)
#else
      if (g == 1) on_host = omp_is_initial_device()
#endif
   end do
   print '(a)', '# on the '//trim(merge('host  ', 'device', on_host))
   do b = 0, last_bin
      print '(a,i0,a,i0)', 'bin ', b, ': ', sum(counts(b, :))
   end do
end program
