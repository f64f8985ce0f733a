C  Within the cascade equations draws come from sequence LSEQ.
      COMMON /CASCAD/ LSEQ,FINCNX
      INTEGER         LSEQ
      LOGICAL         FINCNX
