"""Alterations of the generator in the tree that support.make_tree writes.

A row: the file, what is replaced, by what, what the tool says when it refuses ("" if its shapes
need not see it), and BLIND if verify alone must find it. SAME alters nothing, and nothing may be
found. The tool once overlooked the first dozen.
"""

BLIND, SAME = "verify finds it", "verify finds nothing"
SHAPE = "no known shape"
ZERO_RULE = "IF ( UNI .EQ. 0.D0 ) UNI = TWOM48\n"
DELIVERY = "        RVEC(IVEC) = UNI\n"
SEEDED = "          IB    = MOD( IHIGH,177 ) + 2\n          IC    = MOD( ILOW/169,178 ) + 1\n"
SEEDED += "          ID    = MOD( ILOW,169 )\n          DO"
READ_WORDS = "          READ(LUN,'(24(4Z16,/),Z16)') U\n"
AFTER_READING = "          IHIGH = IJKL(JSEQ)/30082\n          ILOW  = IJKL(JSEQ) - 30082*IHIGH\n"
AFTER_READING += (
    "          IA    = MOD( IHIGH/177,177 ) + 2\n" + SEEDED[: SEEDED.rindex("          DO")]
)
AFTER_READING += "          CD    = 7654321.*TWOM24\n          CM    = 16777213.*TWOM24\n"
STATE_COMMON = "      COMMON /CRRANMA4/C,U,IJKL,I97,J97,NTOT,NTOT2,JSEQ\n"
SHORT = "      IMPLICIT INTEGER*2 (L)\n      INTEGER          ITEMS"
THREADS = "!$OMP THREADPRIVATE(/CRRANMA4/)\n"
LAST = "        NTOT(5)  = NTOT(5) - MODCNS\n      ENDIF"

ALTERATIONS = [
    # states that random numbers never come to, vectors longer than a program asks for
    ("rmmard.F", "IF ( C(JSEQ) .LT. 0.D0 )", "IF ( C(JSEQ) .LE. 0.D0 )", SHAPE, BLIND),
    ("rmmard.F", ZERO_RULE, ZERO_RULE.replace(".EQ. 0.D0", ".LT. 3.D0*TWOM48"), SHAPE, BLIND),
    ("rmmard.F", "IVEC = 1, LENV", "IVEC = 1, MIN(LENV,4500)", SHAPE, BLIND),
    ("rmmard.F", DELIVERY, "        LENV(IVEC) = UNI\n", "is expected here", ""),
    # what hooked code does not set, or takes for an INTEGER
    ("rmmard.F", "      RETURN\n", "      TWICE = UNI\n      RETURN\n", "use of UNI", ""),
    ("rmmard.F", "WORDS(97),X\n", "WORDS(97),X\n      COMMON /LAST/ WORDS\n", "use of WORDS", ""),
    ("rmmard.F", "RVEC(*),UNI\n", "RVEC(*),UNI\n      COMMON /LAST/ IVEC\n", "use of IVEC", ""),
    ("rmmard.F", "        RVEC(IVEC)", "!$OMP CRITICAL\n        RVEC(IVEC)", "OpenMP or a", ""),
    ("rmmard.F", "      DO  IVEC", "!GCC$ UNROLL 4\n      DO  IVEC", "OpenMP or a", ""),
    ("rmmard.F", "          READ(LUN,", "          READ(LUN,END=9,FMT=", SHAPE, ""),
    ("rmmard.F", "          ISEED(1) =", "   30     ISEED(1) =", "no label is expected", ""),
    ("rmmard.F", "      INTEGER          LENV", SHORT, "INTEGER LENV is expected", ""),
    ("rmmard.F", "INTEGER          LENV", "INTEGER*2        LENV", "INTEGER LENV is expected", ""),
    ("rmmard.F", "IF ( UNI .LT. 0.D0 ) UNI", "IF ( UNI .LE. 0.D0 ) UNI", SHAPE, BLIND),
    ("rmmard.F", "U(J97(JSEQ),JSEQ)", "U(J97(JSEQ),MAX(JSEQ-1,1))", SHAPE, BLIND),
    # what counts with options of the compiler: long lines, lines with D, OpenMP's comments; macros
    ("rmmard.F", DELIVERY, DELIVERY[:-1].ljust(72) + "*0.5D0\n", "=UNI is expected", ""),
    ("rmmard.F", DELIVERY, "D       UNI = 1.D0 - UNI\n" + DELIVERY, "=UNI is expected", ""),
    ("rmmard.F", DELIVERY, "!$      UNI = 1.D0 - UNI\n" + DELIVERY, "=UNI is expected", ""),
    ("rmmard.F", DELIVERY, "!$\tUNI = 1.D0 - UNI\n" + DELIVERY, "=UNI is expected", ""),
    ("rmmard.F", "C=", "#define MOD(A,B) 1\nC=", "MOD is a macro", ""),
    # what is read or written where the state is in scope
    ("calls.F", "IF ( JSEQ .NE. 2 )", "IF ( NTOT(2) .NE. 2 )", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      REALNT = NTOT(2)\n", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      SAVEU(1) = U(1,2)\n", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      LOGICALL(IJKL(1)) = .TRUE.\n", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      REALS%N = NTOT(2)\n", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      REALS(1::2) = NTOT(2)\n", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      END ASSOCIATE\n      X = NTOT(2)\n", SHAPE, ""),
    ("rmmard.F", "C=", '      BLOCK DATA\n#include "crranma.inc"\n      END\nC=', "in BLOCK", ""),
    # seeding and constants
    ("rmmard.F", "IS    = 33", "IS    = 34", "=33 is expected here", BLIND),
    ("rmmard.F", "53*ID+1", "55*ID+1", r"53\*ID\+1,169\) is expected here", BLIND),
    ("rmmard.F", "CD     = 7654321.D0", "CD     = 7654323.D0", "CD=7654321.*is exp", BLIND),
    ("rmmard.F", SEEDED, SEEDED.replace("+ 2", "+ 3"), r"177\)\+2 is expected here", BLIND),
    ("rmmard.F", READ_WORDS, READ_WORDS + AFTER_READING, "", ""),  # as CORSIKA has it
    ("rmmard.F", READ_WORDS, READ_WORDS + AFTER_READING.replace("21.", "23."), "constants in", ""),
    ("rmmard.F", "MODCNS = 1000000000", "MODCNS = 100000000", "MODCNS=1000000000 is exp", BLIND),
    ("rmmard.F", "TWOM48 = 2.D0**(-48)", "TWOM48 = 2.D0**(-47)", "is expected here", BLIND),
    ("rmmard.F", "  = .FALSE.\n", "  = .FALSE.\n        JSEQ = 1\n", "", ""),
    ("rmmard.F", "START/.TRUE./", "START/.FALSE./", "DATA START/.TRUE./ is expected", ""),
    ("rmmard.F", "NTOT2(JSEQ)+1", "NTOT2(JSEQ)", "is expected here", ""),
    ("rmmard.F", "NN = NTOT(JSEQ)", "NN = NTOT(JSEQ)+1", "is expected here", BLIND),
    ("rmmard.F", "COPT = CHOPT\n", "COPT = CHOPT; IF (ISEED(1)>9) STOP\n", "", BLIND),
    ("rmmard.F", "CARRY = CINT", "CARRY = CD", "cc=CINT is expected here", BLIND),
    ("rmmard.F", "DOUBLE PRECISION CARRY,BIT,W", "REAL CARRY,BIT,W", "", BLIND),
    ("rmmard.F", "DO  N = 1, NN", "DO  IR = 1, NN", "is expected here", ""),
    ("rmmard.F", "DO  N = 1, NN", "DO  CINT = 1, NN", "is expected here", ""),
    ("rmmard.F", "X = WORDS(IR) - WORDS(IS)", "X = WORDS(IR) + WORDS(IS)", "is expected", BLIND),
    ("rmmard.F", "CARRY = CINT", "CD    = CD + 0.D0", SHAPE, ""),
    ("rmmard.F", "CARRY = CINT", "CARRY = C(JSEQ)", SHAPE, BLIND),
    ("rmmard.F", "CARRY = CINT", "NTOT(JSEQ) = 0", SHAPE, ""),
    ("rmmard.F", "I97(JSEQ) = IR", "I97(JSEQ) = 97", SHAPE, BLIND),
    ("rmmard.F", "WRITE(LUN,'(24(4Z16,/),Z16)') U", "WRITE(LUN,'(Z16)') U(1,1)", SHAPE, ""),
    ("rmmard.F", "ISEED(2) = NTOT(JSEQ)", "ISEED(2) = NTOT(1)", SHAPE, ""),
    # draws
    ("rmmard.F", "NTOT(JSEQ) + LENV", "NTOT(JSEQ) + 1", SHAPE, BLIND),
    ("rmmard.F", "RVEC(IVEC) = UNI", "RVEC(IVEC) = UNI + TWOM24", SHAPE, BLIND),
    ("copies.F", "U(I97(5),5) = UNI", "U(I97(5),4) = UNI", SHAPE, BLIND),
    ("copies.F", "      I97(5) = I97(5) - 1", "   5  I97(5) = I97(5) - 1", SHAPE, ""),
    ("copies.F", "J97(5) .EQ. 0 ) J97(5) = 97", "J97(5) .EQ. 0 ) J97(5) = 96", SHAPE, BLIND),
    ("copies.F", "   10 CONTINUE\n", "   20 CONTINUE\n", SHAPE, ""),
    ("copies.F", LAST + "\n", LAST + " ; UNI = 1\n", SHAPE, ""),
    ("copies.F", "DRHERW = UNI", "DRHERW = UNI*2.D0", SHAPE, BLIND),
    ("copies.F", "DRHERW = UNI", "CM     = UNI", SHAPE, ""),
    ("copies.F", "      NTOT(5) = NTOT(5) + 1\n", "", SHAPE, ""),
    ("copies.F", "C(5) = C(5) + CM", "C(5) = C(5) + CD", SHAPE, BLIND),
    ("copies.F", f"{ZERO_RULE}      DRH", f"{ZERO_RULE[:-3]}24\n      DRH", SHAPE, BLIND),
    ("copies.F", "IF(Z.EQ.0.)Z=TWOM48", "IF(Z.EQ.1.)Z=TWOM48", SHAPE, BLIND),
    ("copies.F", "DREPOS = SNGL( UNI )", "DREPOS = SNGL( UNI*.5D0 )", SHAPE, BLIND),
    ("copies.F", "NTOT(5) .GE. MODCNS", "NTOT(5) .GT. MODCNS", SHAPE, BLIND),
    ("copies.F", "      double precision uni\n", "      real uni\n", "", BLIND),
    ("copies.F", "      DRHERW = UNI\n", "#if __X__\n      DRHERW = UNI\n", SHAPE, ""),
    ("copies.F", "      ENTRY DRHSET()\n", "      ENTRY DRHSET()\n      UNI = U(1,1)\n", SHAPE, ""),
    ("copies.F", "WORDS(1)  = C(JSEQ)", "WORDS(1)  = C(1)", SHAPE, ""),
    ("copies.F", "J97(1) = NINT( WORDS(100) )", "J97(1) = 33", SHAPE, ""),
    ("copies.F", "NDUMMY = NDUMMY + 1", "CALL SUBR( NTOT )", SHAPE, ""),
    ("copies.F", "NDUMMY = NDUMMY + 1", "IF ( NSEEDS(1) .EQ. 0 ) RETURN", SHAPE, ""),
    ("copies.F", "      NSEEDS(2) = NTOT", "    5 NSEEDS(2) = NTOT", SHAPE, ""),
    ("copies.F", "NSEEDS(2) = NTOT", "IF ( U(1,2) .GT. .5 ) NSEEDS(2) = NTOT", SHAPE, ""),
    ("rmmard.F", "      SAVE\n", "      SAVE\n      DATA I97/9*97/\n", SHAPE, ""),
    ("rmmard.F", "      SAVE\n", "      SAVE\n      REAL X(NTOT(1))\n", SHAPE, ""),
    ("copies.F", "WORDS(1)  = C(JSEQ)", "WORDS(1) = C(JSEQ)", "", SAME),
    ("rmmard.F", "MODCNS = 1000000000", "MODCNS =  1000000000", "", SAME),
    ("copies.F", "RVEC(*),Z", "RVEC(0:*),Z", "", SAME),
    ("copies.F", "NDUMMY = NDUMMY + 1", "CALL GRNSTA( NDUMMY )", "", ""),
    ("copies.F", "NDUMMY = NDUMMY + 1", "NDUMMY = NT\0OT(1)", "a NUL byte", ""),
    ("copies.F", "      NDUMMY = NDUMMY + 1\n", "#if __X__\n#endif\n", SHAPE, ""),
    ("calls.F", "      UNI = X(1)\n", "      UNI = X(1)\n      PRINT *, 'NTOT'\n", "", ""),
    ("rmmard.F", "C=", "      BLOCK DATA\n      END\nC=", "", ""),
    ("rmmard.F", "C=", "#line 7\nC=", "", ""),
    # declarations, and lines of hooks
    ("copies.F", "UNI,DRHSET\n", "UNI,DRHSET,GRNBUF\n", "GRNBUF is a name of the hooks", ""),
    ("crranma.inc", "/CD,CINT,CM", "/CINT,CD,CM", "constants .* other members", ""),
    ("crranma.inc", "/CRRANMA4/", "/MYRANMA4/", "state .* is /MYRANMA4/ instead", ""),
    ("crranma.inc", STATE_COMMON, STATE_COMMON * 2, "", ""),
    ("crranma.inc", STATE_COMMON, STATE_COMMON[:-1] + ";REAL X\n", "beside another", ""),
    ("crranma.inc", STATE_COMMON, STATE_COMMON + THREADS, "for the generator's COMMON", ""),
    ("crranma.inc", "U(97,KSEQ)", "U(98,KSEQ)", r"U\(98,KSEQ\)", ""),
    ("crranma.inc", "DOUBLE PRECISION C(KSEQ)", "REAL C(KSEQ)", "is REAL", ""),
    ("state.h", "NTOT,NTOT2,JSEQ", "NTOT,NTOT2,JSEQ,KSAVE", "other members", ""),
    ("state.h", "C,U,\n", "C,U97,\n", "other members", ""),
    ("state.h", "KSEQ = 9", "KSEQ = 257", "KSEQ is above 256", ""),
    ("rmmard.F", "      SAVE\n", "      SAVE /CRRANMA4/\n", "other than COMMON", ""),
    ("rmmard.F", "= ISEQ\n\n      DO", "= ISEQ\nC \\\n      DO", "ends in a backslash", ""),
    ("driver.F", '#include "cascade.h"\n', "      INCLUDE 'state.h'\n", "INCLUDE of the COMM", ""),
    ("driver.F", "M DRIVER\n", "M DRIVER\n      INCLUDE 'copies.F'\n", "compiles no hooks", ""),
    ("copies.F", "#else\n      NOT", "#else /* not\nso */\n      NOT", "on joined lines", ""),
    ("copies.F", "#else\n      NOT", "/*\n#endif\n*/\n#else\n      NOT", "on joined lines", ""),
    ("copies.F", "#else\n      NOT", "#else\n#line 9\n      NOT", "or #line inside", ""),
    ("copies.F", "      DRVENU = UNI\n", "#else\n", "there is no #if to this line: #else", ""),
    ("rmmard.F", "C=", "      SUBROUTINE GRNCNT\n      END\nC=", "GRNCNT is a name of the", ""),
    ("rmmard.F", "C=", "      MODULE HOST\n      CONTAINS\nC=", "CONTAINS: its host may", ""),
    ("rmmard.F", "C=", "#ifndef __GPURANMAR__\n#endif\nC=", "COMMON or for hooks", ""),
    ("rmmard.F", "C=", "# if defined(__GPURANMAR__)\n# endif\nC=", "", ""),
    ("state.h", "#ifdef __STATE__", "#if defined(AA) || defined(__STATE__)", "", ""),
    ("cascade.h", "C  W", '#include "crranma.inc"\nC  W', "into each routine", ""),
    ("rmmard.F", "C=", "#define GRNFL1\nC=", "GRNFL1 is a macro", ""),
    ("rmmard.F", "C=", "#define PRECISION\nC=", "PRECISION is a macro", ""),
    ("driver.F", "M DRIVER\n", "M DRIVER\n#ifdef __GPURANMAR__\n#endif\n", "hook", ""),
]
