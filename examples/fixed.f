C  Fixed form, as CORSIKA draws. All examples here count the same: how
C  many of the first 10**6 points (x,y) of the sequence with seed 1802
C  lie in the quarter circle.
      PROGRAM FIXED
      IMPLICIT NONE
      DOUBLE PRECISION X(2)
      INTEGER ISEED(3),I,N
      DATA ISEED/1802,0,0/

      CALL RMMAQD( ISEED,1,'S' )
      N = 0
      DO  I = 1, 1000000
        CALL RMMARD( X,2,1 )
        IF ( X(1)**2 + X(2)**2 .LT. 1.D0 ) N = N + 1
      ENDDO
      WRITE(*,'(I0,A)') N,' of 1000000 points lie in the circle'
      END
