! A program that draws random numbers as CORSIKA does and computes between the draws:
! mix KIND THOUSANDS. Linked with the sequential reference, with the library, or with numbers that
! were made before (prepared.c). What it prints is the same whoever makes the numbers.
!
!   KIND       proton: an electromagnetic cascade and hadrons; gamma: Cherenkov light besides
!   THOUSANDS  of steps
!
! The calls are those that were counted in CORSIKA 7.7000. The cascade, sequence 2, asks for one
! number in 89 % of its calls, for 2 or 3 in the rest. Hadrons, sequence 1, ask for 1 or 2, and
! Cherenkov light, sequence 3, for 11 to 100. As there, numbers decide which way the program goes,
! pass through logarithms, roots and sines, and choose entries of a table larger than the
! first-level cache. WORK was set so that a profile of the program with the sequential reference
! gives the generator about CORSIKA's share: 20 % (proton) and 14 % (gamma).
program mix
   use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
   implicit none
   integer, parameter :: hadrons = 1, cascade = 2, cherenkov = 3
   integer, parameter :: entries = 8192
   real(real64), parameter :: two_pi = 6.283185307179586_real64
   real(real64), parameter :: highest = 1.0e3_real64, cut = 3.0e-3_real64 ! GeV

   type :: particle
      real(real64) :: energy, depth, x, y, u, v
   end type

   real(real64) :: loss(entries), light
   integer :: work
   integer(int64) :: step, steps, photons
   logical :: shines
   type(particle) :: p

   call read_arguments(shines, steps)
   work = merge(6, 1, shines)
   call tabulate(loss)
   call start_sequences()
   call new_particle(p)
   light = 0.0_real64
   photons = 0
   do step = 1, steps
      call cascade_step(p)
      if (mod(step, 40_int64) == 0) call hadron_step(p)
      if (shines .and. mod(step, 64_int64) == 0) call emit_light(p)
   end do
   print '(2i14, 4es24.16)', steps, photons, light, p%depth, p%x, p%y

contains

   subroutine read_arguments(shines, steps)
      logical, intent(out) :: shines
      integer(int64), intent(out) :: steps
      character(20) :: kind, text
      integer :: status

      call get_command_argument(1, kind)
      call get_command_argument(2, text)
      read (text, *, iostat=status) steps
      if (all(kind /= ['proton', 'gamma ']) .or. status /= 0) then
         write (error_unit, '(a)') 'usage: mix proton|gamma THOUSANDS'
         stop 2
      end if
      shines = kind == 'gamma'
      steps = 1000*steps
   end subroutine

   ! A curve with the shape of a collision loss, by the logarithm of the energy above the cut.
   subroutine tabulate(loss)
      real(real64), intent(out) :: loss(entries)
      integer :: i

      do i = 1, entries
         loss(i) = 2.0e-3_real64 + 1.0e-4_real64*log(1.0_real64 + 0.05_real64*i)
      end do
   end subroutine

   subroutine start_sequences()
      integer :: seed(3), k

      do k = 1, 3
         seed = [1000 + k, 0, 0]
         call rmmaqd(seed, k, 'S')
      end do
   end subroutine

   subroutine new_particle(p)
      type(particle), intent(out) :: p

      p = particle(highest, 0.0_real64, 0.0_real64, 0.0_real64, 0.0_real64, 0.0_real64)
   end subroutine

   ! One call of the cascade, for one number in 89 of 100 calls, for two in 8 and for three in 3.
   ! The number itself chooses, so that the processor cannot foresee which.
   subroutine cascade_step(p)
      type(particle), intent(inout) :: p
      real(real64), save :: last = 0.5_real64
      real(real64) :: r(3)

      if (last > 0.11_real64) then
         call rmmard(r, 1, cascade)
         call fly(p, r(1))
      else if (last > 0.03_real64) then
         call rmmard(r, 2, cascade)
         call scatter(p, r(1), r(2))
      else
         call rmmard(r, 3, cascade)
         call radiate(p, r)
      end if
      last = r(1)
   end subroutine

   ! Flies to the next event: path lengths are exponential, losses come from the table.
   subroutine fly(p, r)
      type(particle), intent(inout) :: p
      real(real64), intent(in) :: r
      real(real64) :: path
      integer :: i, k

      path = -log(r)
      k = min(entries, 1 + int(1.0e3_real64*path))
      do i = 1, work
         path = path/sqrt(1.0_real64 + 1.0e-3_real64*path*path)
      end do
      p%energy = p%energy - loss(k)*path*p%energy
      if (r < 0.4_real64) then
         p%x = p%x + path*p%u
      else
         p%y = p%y + path*p%v
      end if
      p%depth = p%depth + path*sqrt(1.0_real64 - 0.5_real64*(p%u**2 + p%v**2))
      if (p%energy < cut) call new_particle(p)
   end subroutine

   subroutine scatter(p, r1, r2)
      type(particle), intent(inout) :: p
      real(real64), intent(in) :: r1, r2
      real(real64) :: angle

      angle = 0.1_real64*sqrt(-log(r2)/(1.0_real64 + p%energy))
      p%u = 0.9_real64*p%u + angle*cos(two_pi*r1)
      p%v = 0.9_real64*p%v + angle*sin(two_pi*r1)
   end subroutine

   subroutine radiate(p, r)
      type(particle), intent(inout) :: p
      real(real64), intent(in) :: r(3)

      call scatter(p, r(1), r(2))
      p%energy = p%energy*exp(-0.3_real64*r(3))
      if (p%energy < cut) call new_particle(p)
   end subroutine

   subroutine hadron_step(p)
      type(particle), intent(inout) :: p
      real(real64) :: r(2)
      integer :: n

      n = 1
      if (p%x > p%y) n = 2
      call rmmard(r, n, hadrons)
      call scatter(p, r(1), r(n))
   end subroutine

   ! One call for the photons of a track, two numbers for each: place and azimuth of emission.
   subroutine emit_light(p)
      type(particle), intent(inout) :: p
      real(real64) :: r(100), x, y
      integer :: i, n

      n = 11 + int(mod(p%depth*97.0_real64, 90.0_real64))
      call rmmard(r, n, cherenkov)
      do i = 1, n - 1, 2
         x = p%x + r(i)*p%u + 0.02_real64*cos(two_pi*r(i + 1))
         y = p%y + r(i)*p%v + 0.02_real64*sin(two_pi*r(i + 1))
         light = light + exp(-sqrt(mod(x, 1.0_real64)**2 + mod(y, 1.0_real64)**2))
      end do
      photons = photons + n/2
   end subroutine
end program
