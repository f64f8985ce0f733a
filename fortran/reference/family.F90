! Sequential routines of the families, that is of programs that call RANMAR by other names or rules
! than CORSIKA. They are the reference of validate/tests/fortran/families.t. The file is compiled
! once for each family, with FAMILY_name defined. It follows the publications
!   F. James, Computer Physics Communications 60 (1990) 329,
!   G. Marsaglia, A. Zaman, FSU-SCRI-87-50 (1987),
!   T. Sjostrand, S. Mrenna, P. Skands, PYTHIA 6.4 Physics and Manual, JHEP 05 (2006) 026,
!   E. Barberio, B. van Eijk, Z. Was, Computer Physics Communications 66 (1991) 115 (PHOTOS),
!   B. A. Berg, Markov Chain Monte Carlo Simulations and Their Statistical Analysis (2004),
! and makes one number at a time in floating point. DOUBLE PRECISION serves for 24-bit words too,
! which it holds exactly. The compiler's -fimplicit-none serves all routines.
#include "family.inc"
module original
   implicit none
   double precision, parameter :: twom24 = 2d0**(-24)
   double precision, parameter :: cd = 7654321*twom24, cm = 16777213*twom24
   double precision :: u(97), c
   integer :: i97 = 0, j97 = 0

contains

   ! Sets the state of these seeds: 97 words of `bits` bits.
   subroutine seed(ij, kl, bits)
      integer, intent(in) :: ij, kl, bits
      call seed_by_four(mod(ij/177, 177) + 2, mod(ij, 177) + 2, mod(kl/169, 178) + 1, mod(kl, 169), bits)
   end subroutine

   subroutine seed_by_four(na1, na2, na3, nb1, bits)
      integer, intent(in) :: na1, na2, na3, nb1, bits
      double precision :: s, t
      integer :: i, j, k, l, m, ii, jj
      i = na1
      j = na2
      k = na3
      l = nb1
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

   ! The next number that is not zero.
   double precision function redrawn()
      redrawn = 0
      do while (.not. redrawn > 0)
         redrawn = next()
      end do
   end function
end module

#ifdef COUNTED
! Sequences with counters, NTOT + 10^9 NTOT2; NTOT is -1 before the start. RANMAR uses sequence 0,
! CERNLIB's RMMAR sequences 1 to 9, and RM48 sequence 10. Module original has the state of the
! sequence chosen last.
module counted
   use original
   implicit none
   integer, parameter :: of_ranmar = 0, of_rm48 = 10
   type :: sequence
      double precision :: u(97), c
      integer :: i97, j97, ijkl = 0, ntot = -1, ntot2 = 0
   end type
   type(sequence) :: kept(0:10)
   integer :: chosen = of_ranmar, ijkl = 0, ntot = -1, ntot2 = 0
   integer :: jseq = 0 ! RMMAR's sequence that was used last

contains

   subroutine choose(k)
      integer, intent(in) :: k
      kept(chosen) = sequence(u, c, i97, j97, ijkl, ntot, ntot2)
      chosen = k
      u = kept(k)%u
      c = kept(k)%c
      i97 = kept(k)%i97
      j97 = kept(k)%j97
      ijkl = kept(k)%ijkl
      ntot = kept(k)%ntot
      ntot2 = kept(k)%ntot2
   end subroutine

   subroutine count_drawn(n)
      integer, intent(in) :: n
      ntot = ntot + n
      if (ntot >= 1000000000) then
         ntot2 = ntot2 + 1
         ntot = ntot - 1000000000
      end if
   end subroutine

   ! Numbers of 24 bits. A zero becomes 2**-24 U(2). RMMAR takes U(2) of its first sequence,
   ! whichever sequence it draws from.
   subroutine draw(rvec)
      real, intent(out) :: rvec(:)
      integer :: i
      do i = 1, size(rvec)
         rvec(i) = real(next())
         if (rvec(i) > 0) cycle
         rvec(i) = real(twom24*u(2))
         if (chosen > 1) rvec(i) = real(twom24*kept(1)%u(2))
         if (rvec(i) == 0) rvec(i) = real(twom24**2)
      end do
      call count_drawn(size(rvec))
   end subroutine

   subroutine report(k, seed, n, n2)
      integer, intent(in) :: k
      integer, intent(out) :: seed, n, n2
      call choose(k)
      seed = ijkl
      n = ntot
      n2 = ntot2
   end subroutine
end module

subroutine ranmar(rvec, lenv)
   use counted
   integer :: lenv
   real :: rvec(lenv)
   call choose(of_ranmar)
   if (ntot < 0) call rmarin(54217137, 0, 0)
   call draw(rvec)
end subroutine

subroutine rmarut(ijklut, ntotut, ntot2t)
   use counted
   integer :: ijklut, ntotut, ntot2t
   call report(of_ranmar, ijklut, ntotut, ntot2t)
#ifdef FAMILY_cernlib
   ntotut = max(ntotut, 0)
#endif
end subroutine

#ifndef FAMILY_cernlib
! As published, the inner loop of the skip runs to NTOT in every lap, not to NOW. Some copies
! correct this.
subroutine rmarin(ijklin, ntotin, ntot2n)
   use counted
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
      if (now > 0) write (6, '(a,i15)') SKIPPING, now
#ifndef FAMILY_cpcnow
      if (now > 0) now = ntot
#endif
      do n = 1, now
         unused = next()
      end do
   end do
end subroutine
#endif
#endif

! CERNLIB's descriptions V113 and V116. RM48IN with N2 > 0 skips N2*10^9 + N1 numbers, as described;
! CERNLIB's own code does not.
#ifdef FAMILY_cernlib
subroutine start(k, ijklin, n, n2, bits)
   use counted
   integer, intent(in) :: k, ijklin, n, n2, bits
   integer :: lap, i
   double precision :: unused
   call choose(k)
   call seed(ijklin/30082, mod(ijklin, 30082), bits)
   do lap = 0, n2
      do i = 1, merge(n, 1000000000, lap == n2)
         unused = next()
      end do
   end do
   ijkl = ijklin
   ntot = n
   ntot2 = n2
end subroutine

! The counters start at zero after the skip.
subroutine rmarin(ijklin, ntotin, ntot2n)
   use counted
   integer :: ijklin, ntotin, ntot2n
   call start(of_ranmar, ijklin, ntotin, ntot2n, 24)
   ntot = 0
   ntot2 = 0
end subroutine

! Sequence ISEQ; the one used last if ISEQ <= 0.
subroutine rmmar(vec, len, iseq)
   use counted
   integer :: len, iseq
   real :: vec(len)
   if (iseq > 0) jseq = iseq
   call choose(jseq)
   call draw(vec)
end subroutine

! The options are those of RMMAQD. The V forms transfer the state in ISEED(1:103) = IJKL,NTOT,NTOT2,
! U(97),C,I97,J97, with the REALs as bits.
subroutine rmmaq(iseed, iseq, chopt)
   use counted
   integer :: iseed(*), iseq
   character(*) :: chopt
   character(12) :: copt
   copt = chopt
   if (copt == ' ') then
      iseed(1:3) = [54217137, 0, 0]
      jseq = 1
      copt = 'S'
   end if
   if (scan(copt, 'SR') == 0) return
   if (iseq > 0) jseq = iseq
   if (index(copt, 'S') == 0 .and. iseq <= 0) iseq = jseq
   call choose(jseq)
   if (index(copt, 'S') == 0) then
      iseed(1:3) = [ijkl, ntot, ntot2]
      if (index(copt, 'V') /= 0) iseed(4:103) = [transfer(real([u, c]), [0]), i97, j97]
   else if (index(copt, 'V') /= 0) then
      ijkl = iseed(1)
      ntot = iseed(2)
      ntot2 = iseed(3)
      u = transfer(iseed(4:100), [0.])
      c = transfer(iseed(101), 0.)
      i97 = iseed(102)
      j97 = iseed(103)
   else
      call start(jseq, iseed(1), iseed(2), iseed(3), 24)
   end if
end subroutine

! 48-bit words, the arithmetic part in 24 bits; zero becomes 2**-49.
subroutine rm48(vec, len)
   use counted
   integer :: len, i
   double precision :: vec(len)
   call choose(of_rm48)
   if (ntot < 0) call rm48in(54217137, 0, 0)
   do i = 1, len
      vec(i) = next()
      if (vec(i) == 0) vec(i) = 0.5d0*twom24**2
   end do
   call count_drawn(len)
end subroutine

! The counters include what was skipped.
subroutine rm48in(i1, n1, n2)
   use counted
   integer :: i1, n1, n2
   integer :: lap
   call start(of_rm48, i1, max(n1, 0), max(n2, 0), 48)
   write (6, '(a,i10,2x,2i10)') ' RM48 INITIALIZED:', ijkl, ntot, ntot2
   do lap = 1, ntot2
      write (6, '(a,i15)') ' RM48IN SKIPPING OVER ', 10**9
   end do
   if (ntot > 0) write (6, '(a,i15)') ' RM48IN SKIPPING OVER ', ntot
end subroutine

subroutine rm48ut(i1, n1, n2)
   use counted
   integer :: i1, n1, n2
   call report(of_rm48, i1, n1, n2)
end subroutine
#endif

#ifdef FAMILY_james
subroutine rmarin(ijkl)
   use original
   integer :: ijkl
   call seed(ijkl/30082, mod(ijkl, 30082), 24)
end subroutine
#endif

#if defined FAMILY_one || defined FAMILY_real || defined FAMILY_double || defined FUNCTION
subroutine rmarin(ij, kl)
   use original
   integer :: ij, kl
   call seed(ij, kl, 24)
end subroutine
#endif

#ifdef ARRAY
subroutine ranmar(rvec, len)
   use original
   integer :: len, i
   NUMBER :: rvec(len)
   do i = 1, len
      rvec(i) = real(next(), kind(rvec))
   end do
end subroutine
#endif

#ifdef FUNCTION
NUMBER function ranmar()
   use original
   ranmar = real(next(), kind(ranmar))
end function
#endif

#ifdef FAMILY_one
subroutine ranmar(x)
   use original
   double precision :: x
   x = next()
end subroutine

double precision function rmafun()
   use original
   rmafun = next()
end function

subroutine rmaset(iuo, iud, iseed1, iseed2, cfile)
   use original
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
   integer :: iud
   character(*) :: cfile
   open (unit=iud, file=cfile, status='unknown', form='unformatted')
   rewind iud
   write (iud) u, c, cd, cm, i97, j97
   close (iud)
end subroutine
#endif

! PYTHIA 6 in 48 bits, JETSET in 24. The whole state is in the COMMON block.
#ifdef LUND
NUMBER function DRAW(idummy)
   use original
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
   uni = redrawn()
   rr(1:97) = real(u, kind(rr))
   rr(98:100) = real([c, cd, cm], kind(rr))
   mr(3:5) = [mr(3) + 1, i97, j97]
   if (mr(3) == 1000000000) then
      mr(2) = mr(2) + 1
      mr(3) = 0
   end if
   DRAW = real(uni, kind(rr))
end function

! Goes back by -move records that were written or read, if move < 0.
subroutine go_back(lfn, move)
   integer :: lfn, move, mr(6), n
   NUMBER :: rr(100)
   common /BLOCK/ mr, rr
   do n = 1, min(mr(6), -move)
      backspace (lfn)
      mr(6) = mr(6) - 1
   end do
end subroutine

subroutine GET(lfn, move)
   integer :: lfn, move, mr(6)
   NUMBER :: rr(100)
   common /BLOCK/ mr, rr
   call go_back(lfn, move)
   write (lfn) mr(1:5), rr
   mr(6) = mr(6) + 1
end subroutine

subroutine SET(lfn, move)
   integer :: lfn, move, mr(6), n
   NUMBER :: rr(100)
   common /BLOCK/ mr, rr
   call go_back(lfn, move)
   do n = 1, 1 + max(0, move)
      read (lfn) mr(1:5), rr
   end do
   mr(6) = mr(6) + 1 + max(0, move)
end subroutine
#endif

#ifdef PHOTOS
subroutine phorin
   use original
   integer :: iseed(2), ring(2)
   NUMBER :: words(100)
   common /phseed/ iseed, ring, words
   call seed(iseed(1), iseed(2), 24)
end subroutine

NUMBER function phoran(idum)
   use original
   integer :: idum
   phoran = real(redrawn(), kind(phoran))
end function
#endif

#ifdef FAMILY_dpmjet
subroutine dt_rndmst(na1, na2, na3, nb1)
   use original
   integer :: na1, na2, na3, nb1
   call seed_by_four(na1, na2, na3, nb1, 24)
end subroutine

double precision function dt_rndm(vdummy)
   use original
   double precision :: vdummy
   dt_rndm = redrawn()
end function

subroutine dt_rndmin(uin, cin, cdin, cmin, iin, jin)
   use original
   double precision :: uin(97), cin, cdin, cmin
   integer :: iin, jin
   u = uin
   c = cin
   i97 = iin
   j97 = jin
end subroutine

subroutine dt_rndmou(uin, cin, cdin, cmin, iin, jin)
   use original
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
   integer :: iseed
   call seed(min(max(iseed/30081 + 1, 1), 31328), min(max(mod(iseed, 30081) + 1, 1), 30081), 24)
end subroutine

subroutine amrand(y)
   use original
   double precision :: y
   y = next()
end subroutine
#endif

#ifdef FAMILY_dlpoly
double precision function duni()
   use original
   if (i97 == 0) then
      call seed(1802, 9373, 24)
      duni = 0
   else
      duni = next()
   end if
end function
#endif
