! Replays calls of one family (FAMILY_name is defined) read from standard input, one a line, and
! prints what they return. For each family it is built with the reference and with the family's
! library: the same script must print the same text and write the same files with both.
!
!   start A B C    RMARIN(A,B,C), RMARIN(A,B), AMRSET(A), PHORIN with ISEED = A,B, or
!                  MRPY(1:2) = A,0
!   draw N         prints the bits of N numbers; one call for all if the routine fills an array
!   skip N         draws N numbers one by one, and prints those up to 2**-24
!   report         prints RMARUT's arguments, or the counters in COMMON that are always valid
!   rmaset A B F   RMASET(5,30,A,B,F) if A is even, or RMASET(6,30,A,B,F)
!   rmasave F      RMASAVE(30,F)
!   file F         opens the unformatted file F as unit 20
!   get N, set N   PYRGET(20,N) and PYRSET(20,N), or RLUGET and RLUSET
!   keep, restore  copies COMMON /PYDATR/, or /LUDATR/, and copies it back
!   rmmar ISEQ N, rm48 N, rm48in A B C, rm48ut
!   rmmaq OPT ISEQ A B ...    CHOPT 'OPT' ('_' stands for ' ') and ISEED; prints ISEED and ISEQ
!   constants OPT  RMMAQ with constants 0 for ISEQ and ISEED, which it must not write to
#include "family.inc"
program replay_family
   implicit none
   integer :: a(3), n, i, status
   character(2000) :: line
   character(200) :: word
#if defined COUNTED
   real :: vec(200000)
#ifdef FAMILY_cernlib
   double precision :: wide(200000)
   integer :: words(103)
   integer, parameter :: zeros(103) = 0
   character(12) :: chopt
#endif
#elif defined ARRAY
   NUMBER :: vec(200000)
#elif defined FAMILY_one
   integer :: drawn = 0
   double precision, external :: rmafun
#elif defined FUNCTION
   NUMBER, external :: ranmar
#elif defined PHOTOS
   NUMBER, external :: phoran
   integer :: iseed(2), ring(2)
   NUMBER :: words(100)
   common /phseed/ iseed, ring, words
#elif defined FAMILY_dlpoly
   double precision, external :: duni
#elif defined FAMILY_egsnrc
   integer :: whole(232), kept(232), rng_seed, kept_seed
   real :: factor
   common /randomm/ whole, factor, rng_seed
#elif defined FAMILY_dpmjet
   double precision, external :: dt_rndm
   double precision :: words(97), constants(3)
   integer :: ring(2)
#elif defined LUND
   NUMBER, external :: DRAW
   integer :: mr(6), kept_mr(6)
   NUMBER :: rr(100), kept_rr(100)
   common /BLOCK/ mr, rr
#endif

   do
      read (*, '(a)', iostat=status) line
      if (status /= 0) exit
      read (line, *) word
      select case (word)
      case ('draw')
         read (line, *) word, n
         call draw(n)
      case ('skip')
         read (line, *) word, n
         call skip(n)
      case ('start')
         a = 0
         read (line, *, iostat=status) word, a
         call start()
      case default
         call other()
      end select
   end do

contains

   subroutine start()
#if defined COUNTED
      call rmarin(a(1), a(2), a(3))
#elif defined FAMILY_amber
      call amrset(a(1))
#elif defined FAMILY_egsnrc
      whole(230:231) = a(1:2)
      rng_seed = 999999
      if (mod(a(1), 2) == 0) call init_ranmar
#elif defined FAMILY_dpmjet
      n = merge(1, mod(a(1), 177) + 2, a(3) == 1)
      call dt_rndmst(mod(a(1)/177, 177) + 2, n, mod(a(2)/169, 178) + 1, mod(a(2), 169))
#elif defined PHOTOS
      iseed = a(1:2)
      call phorin
#elif defined LUND
      mr(1:2) = [a(1), 0]
#elif defined FAMILY_james
      call rmarin(a(1))
#elif !defined FAMILY_dlpoly
      call rmarin(a(1), a(2))
#endif
   end subroutine

   double precision function one()
#if defined COUNTED || defined ARRAY
      call ranmar(vec, 1)
      one = vec(1)
#elif defined FAMILY_one
      drawn = drawn + 1
      if (mod(drawn, 3) == 0) then
         one = rmafun()
      else
         call ranmar(one)
      end if
#elif defined FUNCTION
      one = ranmar()
#elif defined FAMILY_amber
      call amrand(one)
#elif defined PHOTOS
      one = phoran(0)
#elif defined FAMILY_dlpoly
      one = duni()
#elif defined FAMILY_egsnrc
      if (rng_seed > 128) call ranmar_get
      one = whole(rng_seed)*factor
      rng_seed = rng_seed + 1
#elif defined FAMILY_dpmjet
      one = dt_rndm(0d0)
#else
      one = DRAW(0)
#endif
   end function

   subroutine draw(n)
      integer, intent(in) :: n
#if defined COUNTED || defined ARRAY
      call ranmar(vec, n)
      print '(4z17.16)', dble(vec(:n))
#else
      do i = 1, n
         print '(z17.16)', one()
      end do
#endif
   end subroutine

   subroutine skip(n)
      integer, intent(in) :: n
      double precision :: u
      do i = 1, n
         u = one()
         if (u <= 2d0**(-24)) print '(a,i11,z17.16)', 'skip', i, u
      end do
   end subroutine

   subroutine other()
#if defined COUNTED
#ifdef FAMILY_cernlib
      select case (word)
      case ('rmmar')
         read (line, *) word, a(1), n
         call rmmar(vec, n, a(1))
         print '(8z9.8)', vec(:n)
         return
      case ('rm48')
         read (line, *) word, n
         call rm48(wide, n)
         print '(4z17.16)', wide(:n)
         return
      case ('rm48in')
         read (line, *) word, a
         call rm48in(a(1), a(2), a(3))
         return
      case ('rm48ut')
         call rm48ut(a(1), a(2), a(3))
         print '(a,3i11)', 'rm48ut', a
         return
      case ('constants', 'rmmaq')
         words = 0
         read (line, *, iostat=status) word, chopt, a(1), words
         if (chopt == '_') chopt = ' '
         if (word == 'constants') then
            call rmmaq(zeros, 0, chopt)
         else
            call rmmaq(words, a(1), chopt)
            print '(a,i11/(8i11))', chopt, a(1), words
         end if
         return
      end select
#endif
      call rmarut(a(1), a(2), a(3))
      print '(a,3i11)', 'report', a
#elif defined FAMILY_egsnrc
      if (word == 'keep') then
         kept = whole
         kept_seed = rng_seed
         print '(a,i5,232i10)', 'kept', rng_seed, whole
      else if (word == 'restore') then
         whole = kept
         rng_seed = kept_seed
      end if
#elif defined FAMILY_dpmjet
      if (word == 'keep') then
         call dt_rndmou(words, constants(1), constants(2), constants(3), ring(1), ring(2))
         print '(a,2i11,100z17.16)', 'kept', ring, words, constants
      else if (word == 'restore') then
         call dt_rndmin(words, constants(1), constants(2), constants(3), ring(1), ring(2))
      end if
#elif defined FAMILY_one
      if (word == 'rmaset') then
         read (line, *) word, a(1:2), word
         call rmaset(5 + mod(a(1), 2), 30, a(1), a(2), trim(word))
      else if (word == 'rmasave') then
         read (line, *) word, word
         call rmasave(30, trim(word))
      end if
#elif defined LUND
      select case (word)
      case ('file')
         read (line, *) word, word
         close (20)
         open (20, file=word, form='unformatted')
         mr(6) = 0
      case ('get')
         read (line, *) word, n
         call GET(20, n)
         print '(a,6i11,100z17.16)', 'got', mr, dble(rr)
      case ('set')
         read (line, *) word, n
         call SET(20, n)
      case ('keep')
         kept_mr = mr
         kept_rr = rr
      case ('restore')
         mr = kept_mr
         rr = kept_rr
      case ('report')
         print '(a,4i11)', 'report', mr(1:3), mr(6)
      end select
#endif
   end subroutine
end program

#ifdef LUND
block data
   implicit none
   integer :: mr(6)
   NUMBER :: rr(100)
   common /BLOCK/ mr, rr
   data mr/19780503, 0, 0, 97, 33, 0/
end block data
#endif
