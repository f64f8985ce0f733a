! The sequential routines of the families: programs that draw from RANMAR by other names or rules
! than CORSIKA and CERNLIB. They are the reference of validate/tests/fortran/families.t. The file is
! compiled once for each family, with FAMILY_name defined. It is written from
!   F. James, Computer Physics Communications 60 (1990) 329,
!   G. Marsaglia, A. Zaman, FSU-SCRI-87-50 (1987),
!   T. Sjostrand, S. Mrenna, P. Skands, PYTHIA 6.4 Physics and Manual, JHEP 05 (2006) 026,
!   E. Barberio, B. van Eijk, Z. Was, Computer Physics Communications 66 (1991) 115 (PHOTOS),
!   B. A. Berg, Markov Chain Monte Carlo Simulations and Their Statistical Analysis (2004),
! in floating point, one number at a time. Words of 24 bits are as exact in DOUBLE PRECISION as in
! REAL, so that one arithmetic serves all.
module original
   implicit none
   double precision, parameter :: twom24 = 2d0**(-24)
   double precision, parameter :: cd = 7654321*twom24, cm = 16777213*twom24
   double precision :: u(97), c
   integer :: i97 = 0, j97 = 0

contains

   ! The state that the seeds stand for: 97 words of `bits` bits.
   subroutine seed(ij, kl, bits)
      integer, intent(in) :: ij, kl, bits
      double precision :: s, t
      integer :: i, j, k, l, m, ii, jj
      i = mod(ij/177, 177) + 2
      j = mod(ij, 177) + 2
      k = mod(kl/169, 178) + 1
      l = mod(kl, 169)
      do ii = 1, 97
         s = 0
         t = 0.5d0
         do jj = 1, bits
            m = mod(mod(i*j, 179)*k, 179)
            i = j
            j = k
            k = m
            l = mod(53*l + 1, 169)
            if (mod(l*m, 64) >= 32) s = s + t
            t = 0.5d0*t
         end do
         u(ii) = s
      end do
      c = 362436*twom24
      i97 = 97
      j97 = 33
   end subroutine

   ! The next number; a zero stays a zero.
   double precision function next()
      next = u(i97) - u(j97)
      if (next < 0) next = next + 1
      u(i97) = next
      i97 = i97 - 1
      if (i97 == 0) i97 = 97
      j97 = j97 - 1
      if (j97 == 0) j97 = 97
      c = c - cd
      if (c < 0) c = c + cm
      next = next - c
      if (next < 0) next = next + 1
   end function
end module

#if defined FAMILY_cpc || defined FAMILY_cpcnow || defined FAMILY_kkmc
#ifdef FAMILY_kkmc
#define ranmar pseumar_makevec
#define rmarin pseumar_initialize
#define rmarut pseumar_out
#endif
module counters
   implicit none
   integer :: ijkl = 0, ntot = -1, ntot2 = 0
end module

subroutine ranmar(rvec, lenv)
   use original
   use counters
   implicit none
   integer :: lenv, i
   real :: rvec(lenv)
   if (ntot < 0) call rmarin(54217137, 0, 0)
   do i = 1, lenv
      rvec(i) = real(next())
      if (rvec(i) == 0) then
         rvec(i) = real(twom24*u(2))
         if (rvec(i) == 0) rvec(i) = real(twom24**2)
      end if
   end do
   ntot = ntot + lenv
   if (ntot >= 1000000000) then
      ntot2 = ntot2 + 1
      ntot = ntot - 1000000000
   end if
end subroutine

! As published, the inner loop of the skip runs to NTOT in every lap, not to NOW; copies differ.
subroutine rmarin(ijklin, ntotin, ntot2n)
   use original
   use counters
   implicit none
   integer :: ijklin, ntotin, ntot2n, lap, now, n
   double precision :: unused
   ijkl = ijklin
   ntot = max(ntotin, 0)
   ntot2 = max(ntot2n, 0)
   call seed(ijkl/30082, mod(ijkl, 30082), 24)
#ifdef FAMILY_kkmc
   write (6, '(a,5i10)') 'ranmar initialized: ij,kl,ijkl,ntot,ntot2=', &
      ijkl/30082, mod(ijkl, 30082), ijkl, ntot, ntot2
#else
   write (6, '(a,i10,2x,2i10)') ' RANMAR INITIALIZED:', ijkl, ntot, ntot2
#endif
   do lap = 1, ntot2 + 1
      now = 1000000000
      if (lap == ntot2 + 1) now = ntot
      if (now > 0) then
#ifdef FAMILY_kkmc
         write (6, '(a,i15)') ' rmarin skipping over ', now
#else
         write (6, '(a,i15)') ' RMARIN SKIPPING OVER ', now
#endif
#ifndef FAMILY_cpcnow
         do n = 1, ntot
#else
         do n = 1, now
#endif
            unused = next()
         end do
      end if
   end do
end subroutine

subroutine rmarut(ijklut, ntotut, ntot2t)
   use counters
   implicit none
   integer :: ijklut, ntotut, ntot2t
   ijklut = ijkl
   ntotut = ntot
   ntot2t = ntot2
end subroutine
#endif

#if defined FAMILY_one || defined FAMILY_real || defined FAMILY_double || \
   defined FAMILY_function || defined FAMILY_dfunction
subroutine rmarin(ij, kl)
   use original
   implicit none
   integer :: ij, kl
   call seed(ij, kl, 24)
end subroutine
#endif

#if defined FAMILY_real || defined FAMILY_double
subroutine ranmar(rvec, len)
   use original
   implicit none
   integer :: len, i
#ifdef FAMILY_real
   real :: rvec(len)
#else
   double precision :: rvec(len)
#endif
   do i = 1, len
      rvec(i) = real(next())
   end do
end subroutine
#endif

#ifdef FAMILY_function
real function ranmar()
   use original
   implicit none
   ranmar = real(next())
end function
#endif

#ifdef FAMILY_dfunction
double precision function ranmar()
   use original
   implicit none
   ranmar = next()
end function
#endif

#ifdef FAMILY_one
subroutine ranmar(x)
   use original
   implicit none
   double precision :: x
   x = next()
end subroutine

double precision function rmafun()
   use original
   implicit none
   rmafun = next()
end function

subroutine rmaset(iuo, iud, iseed1, iseed2, cfile)
   use original
   implicit none
   integer :: iuo, iud, iseed1, iseed2
   character(*) :: cfile
   logical :: there
   double precision :: constants(2)
   inquire (file=cfile, exist=there)
   if (.not. there) then
      call seed(1801 + iseed1, 9373 + iseed2, 24)
      if (iuo > 5) write (iuo, *) 'RANMAR INITIALIZED.'
   else
      if (iuo > 5) write (iuo, *) 'MARSAGLIA CONTINUATION.'
      open (unit=iud, file=cfile, status='unknown', form='unformatted')
      rewind iud
      read (iud) u, c, constants, i97, j97
      close (iud)
   end if
end subroutine

subroutine rmasave(iud, cfile)
   use original
   implicit none
   integer :: iud
   character(*) :: cfile
   open (unit=iud, file=cfile, status='unknown', form='unformatted')
   rewind iud
   write (iud) u, c, cd, cm, i97, j97
   close (iud)
end subroutine
#endif

! PYTHIA 6 in 48 bits, JETSET in 24. The whole state is in the COMMON block.
#if defined FAMILY_pythia6 || defined FAMILY_jetset
#ifdef FAMILY_pythia6
#define DRAW pyr
#define GET pyrget
#define SET pyrset
#define BLOCK pydatr
#define NUMBER double precision
#define BITS 48
#else
#define DRAW rlu
#define GET rluget
#define SET rluset
#define BLOCK ludatr
#define NUMBER real
#define BITS 24
#endif
NUMBER function DRAW(idummy)
   use original
   implicit none
   integer :: idummy, mr(6)
   NUMBER :: rr(100)
   double precision :: uni
   common /BLOCK/ mr, rr
   if (mr(2) == 0) then
      call seed(mod(mr(1)/30082, 31329), mod(mr(1), 30082), BITS)
      mr(2:5) = [1, 0, i97, j97]
   else
      u = rr(1:97)
      c = rr(98)
      i97 = mr(4)
      j97 = mr(5)
   end if
   do
      uni = next()
      if (uni > 0) exit
   end do
   rr(1:97) = real(u, kind(rr))
   rr(98:100) = real([c, cd, cm], kind(rr))
   mr(3:5) = [mr(3) + 1, i97, j97]
   if (mr(3) == 1000000000) then
      mr(2) = mr(2) + 1
      mr(3) = 0
   end if
   DRAW = real(uni, kind(rr))
end function

subroutine GET(lfn, move)
   implicit none
   integer :: lfn, move, mr(6), back, n
   NUMBER :: rr(100)
   common /BLOCK/ mr, rr
   if (move < 0) then
      back = min(mr(6), -move)
      do n = 1, back
         backspace (lfn)
      end do
      mr(6) = mr(6) - back
   end if
   write (lfn) mr(1:5), rr
   mr(6) = mr(6) + 1
end subroutine

subroutine SET(lfn, move)
   implicit none
   integer :: lfn, move, mr(6), back, n
   NUMBER :: rr(100)
   common /BLOCK/ mr, rr
   if (move < 0) then
      back = min(mr(6), -move)
      do n = 1, back
         backspace (lfn)
      end do
      mr(6) = mr(6) - back
   end if
   do n = 1, 1 + max(0, move)
      read (lfn) mr(1:5), rr
   end do
   mr(6) = mr(6) + 1 + max(0, move)
end subroutine
#endif

#if defined FAMILY_photos || defined FAMILY_dphotos
#ifdef FAMILY_photos
#define NUMBER real
#else
#define NUMBER double precision
#endif
subroutine phorin
   use original
   implicit none
   integer :: iseed(2), ring(2)
   NUMBER :: words(100)
   common /phseed/ iseed, ring, words
   call seed(iseed(1), iseed(2), 24)
end subroutine

NUMBER function phoran(idum)
   use original
   implicit none
   integer :: idum
   do
      phoran = real(next(), kind(phoran))
      if (phoran > 0) exit
   end do
end function
#endif

#ifdef FAMILY_dpmjet
subroutine dt_rndmst(na1, na2, na3, nb1)
   use original
   implicit none
   integer :: na1, na2, na3, nb1
   call seed((na1 - 2)*177 + na2 - 2, (na3 - 1)*169 + nb1, 24)
end subroutine

double precision function dt_rndm(vdummy)
   use original
   implicit none
   double precision :: vdummy
   do
      dt_rndm = next()
      if (dt_rndm > 0) exit
   end do
end function

subroutine dt_rndmin(uin, cin, cdin, cmin, iin, jin)
   use original
   implicit none
   double precision :: uin(97), cin, cdin, cmin
   integer :: iin, jin
   u = uin
   c = cin
   i97 = iin
   j97 = jin
end subroutine

subroutine dt_rndmou(uin, cin, cdin, cmin, iin, jin)
   use original
   implicit none
   double precision :: uin(97), cin, cdin, cmin
   integer :: iin, jin
   uin = u
   cin = c
   cdin = cd
   cmin = cm
   iin = i97
   jin = j97
end subroutine
#endif

#ifdef FAMILY_egsnrc
subroutine init_ranmar
   use original
   implicit none
   integer :: numbers(128), urndm(97), crndm, cdrndm, cmrndm, i4opt, ixx, jxx, fool, rng_seed
   real :: factor
   common /randomm/ numbers, urndm, crndm, cdrndm, cmrndm, i4opt, ixx, jxx, fool, factor, rng_seed
   if (ixx <= 0 .or. ixx > 31328) ixx = 1802
   if (jxx <= 0 .or. jxx > 30081) jxx = 9373
   call seed(ixx, jxx, 24)
   urndm = nint(u/twom24)
   crndm = 362436
   cdrndm = 7654321
   cmrndm = 16777213
   factor = real(twom24)
   ixx = 97
   jxx = 33
   rng_seed = 129
end subroutine

subroutine ranmar_get
   use original
   implicit none
   integer :: numbers(128), urndm(97), crndm, cdrndm, cmrndm, i4opt, ixx, jxx, fool, rng_seed, i
   real :: factor
   common /randomm/ numbers, urndm, crndm, cdrndm, cmrndm, i4opt, ixx, jxx, fool, factor, rng_seed
   if (rng_seed == 999999) call init_ranmar
   u = urndm*twom24
   c = crndm*twom24
   i97 = ixx
   j97 = jxx
   do i = 1, 128
      numbers(i) = nint(next()/twom24)
   end do
   urndm = nint(u/twom24)
   crndm = nint(c/twom24)
   ixx = i97
   jxx = j97
   rng_seed = 1
end subroutine
#endif

#ifdef FAMILY_amber
subroutine amrset(iseed)
   use original
   implicit none
   integer :: iseed
   call seed(min(max(iseed/30081 + 1, 1), 31328), min(max(mod(iseed, 30081) + 1, 1), 30081), 24)
end subroutine

subroutine amrand(y)
   use original
   implicit none
   double precision :: y
   y = next()
end subroutine
#endif

#ifdef FAMILY_dlpoly
double precision function duni()
   use original
   implicit none
   if (i97 == 0) then
      call seed(1802, 9373, 24)
      duni = 0
   else
      duni = next()
   end if
end function
#endif
