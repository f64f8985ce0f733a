C  The state of the generator, handed out the way CORSIKA's include file
C  does it: each part on demand, by a macro that is used up.
#ifdef __LIMITS__
      INTEGER          KSEQ
#if __MULTITHIN__
      PARAMETER        (KSEQ = 16)
#else
      PARAMETER        (KSEQ = 9)
#endif
#undef __LIMITS__
#endif

#ifdef __STATE__
/* a comment for the preprocessor, who isn't fond of apostrophes */
      COMMON /CRRANMA3/ CD,CINT,CM,TWOM24,TWOM48,MODCNS
      DOUBLE PRECISION  CD,CINT,CM,TWOM24,TWOM48
      INTEGER           MODCNS
      COMMON /CRRANMA4/ C,U,
C  a comment between continuation lines
     +                  IJKL,I97,J97,NTOT,NTOT2,JSEQ
      DOUBLE PRECISION  C(KSEQ),U(97,KSEQ)
      INTEGER           IJKL(KSEQ),I97(KSEQ),J97(KSEQ),NTOT(KSEQ)
      INTEGER           NTOT2(KSEQ),JSEQ
#undef __STATE__
#endif

#ifdef __EVENT__
C  the names of the state may well be other things elsewhere
      COMMON /EVENT/    RD,C,NTOT
      DOUBLE PRECISION  RD(0:30),C
      INTEGER           NTOT
#undef __EVENT__
#endif
