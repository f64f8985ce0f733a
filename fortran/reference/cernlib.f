C=======================================================================
C  CERNLIB's names for the generator, sequential: the reference for
C  RANMAR, RMARIN, RMARUT (one sequence), RMMAR, RMMAQ (several) in 24
C  bits, and RM48, RM48IN, RM48UT in 48.  Written from
C    F. James, Computer Physics Communications 60 (1990) 329,
C  and CERNLIB's descriptions V113 and V116, in floating point, one
C  number at a time.  Seeds make the same bits as in RMMARD, 24 of them
C  to a word.  RM48IN with N2 > 0 skips N2*10**9 + N1 numbers, as
C  described; CERNLIB's own code does not.
C
C  Sequence 0 of the 24-bit state is RANMAR's.
C=======================================================================

      SUBROUTINE RNM24( VEC,LEN,K )

C  Fills VEC(1:LEN) from 24-bit sequence K.

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      REAL     VEC(*),UNI
      INTEGER  I,K,LEN

      DO  I = 1, LEN
        UNI = U(I97(K),K) - U(J97(K),K)
        IF ( UNI .LT. 0. ) UNI = UNI + 1.
        U(I97(K),K) = UNI
        I97(K) = I97(K) - 1
        IF ( I97(K) .EQ. 0 ) I97(K) = 97
        J97(K) = J97(K) - 1
        IF ( J97(K) .EQ. 0 ) J97(K) = 97
        C(K) = C(K) - 7654321.*TWOM24
        IF ( C(K) .LT. 0. ) C(K) = C(K) + 16777213.*TWOM24
        UNI = UNI - C(K)
        IF ( UNI .LT. 0. ) UNI = UNI + 1.
C  a zero is filled with bits of another word, which lie below 2**-24;
C  RMMAR takes them from its first sequence, whichever it draws from
        IF ( UNI .EQ. 0. ) THEN
          UNI = TWOM24 * U(2,MIN( K,1 ))
          IF ( UNI .EQ. 0. ) UNI = TWOM24*TWOM24
        ENDIF
        VEC(I) = UNI
      ENDDO
      NTOT(K) = NTOT(K) + LEN
      IF ( NTOT(K) .GE. 1000000000 ) THEN
        NTOT2(K) = NTOT2(K) + 1
        NTOT(K)  = NTOT(K) - 1000000000
      ENDIF
      RETURN
      END

      SUBROUTINE RNM24S( IJKLIN,N,N2,K )

C  Starts 24-bit sequence K from seed IJKLIN, skips N2*10**9 + N.

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      DOUBLE PRECISION UU(97)
      REAL             DUMMY(1)
      INTEGER          I,IJKLIN,K,LAP,N,N2,NSKIP

      CALL RNMSEE( IJKLIN,24,UU )
      DO  I = 1, 97
        U(I,K) = REAL( UU(I) )
      ENDDO
      C(K)     = 362436.*TWOM24
      I97(K)   = 97
      J97(K)   = 33
      IJKL(K)  = IJKLIN
      DO  LAP = 0, N2
        NSKIP = 1000000000
        IF ( LAP .EQ. N2 ) NSKIP = N
        DO  I = 1, NSKIP
          CALL RNM24( DUMMY,1,K )
        ENDDO
      ENDDO
      NTOT(K)  = N
      NTOT2(K) = N2
      RETURN
      END

      SUBROUTINE RNMSEE( IJKLIN,NBITS,UU )

C  The 97 words of NBITS bits that seed IJKLIN stands for.

      IMPLICIT NONE
      DOUBLE PRECISION UU(97),T
      INTEGER          I,IB,IJKLIN,II,J,K,L,M,NBITS

      I = MOD( IJKLIN/30082/177,177 ) + 2
      J = MOD( IJKLIN/30082,177 ) + 2
      K = MOD( MOD( IJKLIN,30082 )/169,178 ) + 1
      L = MOD( MOD( IJKLIN,30082 ),169 )
      DO  II = 1, 97
        UU(II) = 0.D0
        T = 1.D0
        DO  IB = 1, NBITS
          T = 0.5D0*T
          M = MOD( MOD( I*J,179 )*K,179 )
          I = J
          J = K
          K = M
          L = MOD( 53*L+1,169 )
          IF ( MOD( L*M,64 ) .GE. 32 ) UU(II) = UU(II) + T
        ENDDO
      ENDDO
      RETURN
      END

C=======================================================================

      SUBROUTINE RANMAR( VEC,LEN )

C  A program that calls no RMARIN gets the default seed.

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      REAL     VEC(*)
      INTEGER  LEN

      IF ( I97(0) .EQ. 0 ) CALL RNM24S( 54217137,0,0,0 )
      CALL RNM24( VEC,LEN,0 )
      RETURN
      END

      SUBROUTINE RMARIN( IJKLIN,NTOTIN,NTO2IN )

C  Seeds and skips; the counters start at zero after the skip.

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      INTEGER  IJKLIN,NTOTIN,NTO2IN

      CALL RNM24S( IJKLIN,NTOTIN,NTO2IN,0 )
      NTOT(0)  = 0
      NTOT2(0) = 0
      RETURN
      END

      SUBROUTINE RMARUT( IJKLUT,NTOTUT,NTO2UT )

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      INTEGER  IJKLUT,NTOTUT,NTO2UT

      IJKLUT = IJKL(0)
      NTOTUT = NTOT(0)
      NTO2UT = NTOT2(0)
      RETURN
      END

C=======================================================================

      SUBROUTINE RMMAR( VEC,LEN,ISEQ )

C  Draws from sequence ISEQ; ISEQ <= 0: from the one used last.

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      REAL     VEC(*)
      INTEGER  ISEQ,LEN

      IF ( ISEQ .GT. 0 ) JSEQ = ISEQ
      CALL RNM24( VEC,LEN,JSEQ )
      RETURN
      END

      SUBROUTINE RMMAQ( ISEED,ISEQ,CHOPT )

C  Options as RMMAQD's; the V forms move the state through
C  ISEED(1:103) = IJKL,NTOT,NTOT2,U(97),C,I97,J97, the REALs as bits.

      IMPLICIT NONE
      INCLUDE 'ranma24.inc'
      INTEGER    ISEED(*),ISEQ,I
      CHARACTER  CHOPT*(*),COPT*12

      COPT = CHOPT
      IF ( COPT .EQ. ' ' ) THEN
        ISEED(1) = 54217137
        ISEED(2) = 0
        ISEED(3) = 0
        JSEQ     = 1
        COPT     = 'S'
      ENDIF
      IF ( INDEX( COPT,'S' ) .NE. 0 ) THEN
        IF ( ISEQ .GT. 0 ) JSEQ = ISEQ
        IF ( INDEX( COPT,'V' ) .NE. 0 ) THEN
          IJKL(JSEQ)  = ISEED(1)
          NTOT(JSEQ)  = ISEED(2)
          NTOT2(JSEQ) = ISEED(3)
          DO  I = 1, 97
            U(I,JSEQ) = TRANSFER( ISEED(3+I),U(I,JSEQ) )
          ENDDO
          C(JSEQ)   = TRANSFER( ISEED(101),C(JSEQ) )
          I97(JSEQ) = ISEED(102)
          J97(JSEQ) = ISEED(103)
        ELSE
          CALL RNM24S( ISEED(1),ISEED(2),ISEED(3),JSEQ )
        ENDIF
      ELSEIF ( INDEX( COPT,'R' ) .NE. 0 ) THEN
        IF ( ISEQ .GT. 0 ) JSEQ = ISEQ
        ISEQ     = JSEQ
        ISEED(1) = IJKL(JSEQ)
        ISEED(2) = NTOT(JSEQ)
        ISEED(3) = NTOT2(JSEQ)
        IF ( INDEX( COPT,'V' ) .NE. 0 ) THEN
          DO  I = 1, 97
            ISEED(3+I) = TRANSFER( U(I,JSEQ),ISEED(1) )
          ENDDO
          ISEED(101) = TRANSFER( C(JSEQ),ISEED(1) )
          ISEED(102) = I97(JSEQ)
          ISEED(103) = J97(JSEQ)
        ENDIF
      ENDIF
      RETURN
      END

C=======================================================================

      SUBROUTINE RM48( VEC,LEN )

C  48-bit words, the arithmetic part in 24 bits; zero becomes 2**-49.

      IMPLICIT NONE
      INCLUDE 'rm48.inc'
      DOUBLE PRECISION VEC(*)
      INTEGER          I,LEN

      IF ( NTOT .LT. 0 ) CALL RNM48S( 54217137,0,0 )
      DO  I = 1, LEN
        CALL RNM48( VEC(I) )
      ENDDO
      NTOT = NTOT + LEN
      IF ( NTOT .GE. 1000000000 ) THEN
        NTOT  = NTOT - 1000000000
        NTOT2 = NTOT2 + 1
      ENDIF
      RETURN
      END

      SUBROUTINE RM48IN( I1,N1,N2 )

C  Seeds and skips; the counters include what was skipped.

      IMPLICIT NONE
      INTEGER          I1,N1,N2

      CALL RNM48S( I1,MAX( N1,0 ),MAX( N2,0 ) )
      WRITE(6,'('' RM48 INITIALIZED:'',I10,2X,2I10)')
     *                                       I1,MAX( N1,0 ),MAX( N2,0 )
      RETURN
      END

      SUBROUTINE RM48UT( I1,N1,N2 )

      IMPLICIT NONE
      INCLUDE 'rm48.inc'
      INTEGER          I1,N1,N2

      I1 = IJKL
      N1 = NTOT
      N2 = NTOT2
      RETURN
      END

      SUBROUTINE RNM48( UNI )

C  One number.

      IMPLICIT NONE
      INCLUDE 'rm48.inc'
      DOUBLE PRECISION UNI

      UNI = U(I97) - U(J97)
      IF ( UNI .LT. 0.D0 ) UNI = UNI + 1.D0
      U(I97) = UNI
      I97 = I97 - 1
      IF ( I97 .EQ. 0 ) I97 = 97
      J97 = J97 - 1
      IF ( J97 .EQ. 0 ) J97 = 97
      C = C - 7654321.D0*P24
      IF ( C .LT. 0.D0 ) C = C + 16777213.D0*P24
      UNI = UNI - C
      IF ( UNI .LT. 0.D0 ) UNI = UNI + 1.D0
      IF ( UNI .EQ. 0.D0 ) UNI = 0.5D0*P24*P24
      RETURN
      END

      SUBROUTINE RNM48S( I1,N1,N2 )

C  Starts from seed I1 and skips N2*10**9 + N1 numbers.

      IMPLICIT NONE
      INCLUDE 'rm48.inc'
      DOUBLE PRECISION DUMMY
      INTEGER          I,I1,LAP,N1,N2,NSKIP

      CALL RNMSEE( I1,48,U )
      C     = 362436.D0*P24
      I97   = 97
      J97   = 33
      DO  LAP = 0, N2
        NSKIP = 1000000000
        IF ( LAP .EQ. N2 ) NSKIP = N1
        DO  I = 1, NSKIP
          CALL RNM48( DUMMY )
        ENDDO
      ENDDO
      IJKL  = I1
      NTOT  = N1
      NTOT2 = N2
      RETURN
      END

      BLOCK DATA RNM48D

C  NTOT = -1: not started.

      IMPLICIT NONE
      INCLUDE 'rm48.inc'
      DATA IJKL/0/, NTOT/-1/, NTOT2/0/
      END
