! Replays calls of CERNLIB's names read from standard input, one a line, and prints what they
! return. It is built with the reference and with libgpuranmar_cernlib: the same script must print
! the same text with both.
!
!   ranmar LEN              prints the numbers' bits; rm48 the same
!   rmmar ISEQ LEN
!   scan TIMES LEN          TIMES calls of RANMAR for LEN numbers; prints those up to 2**-24
!   rmarin I1 N1 N2         rm48in the same
!   rmarut                  rm48ut the same
!   constants OPT           RMMAQ, 0 for ISEQ and ISEED as constants, not to be written
!   rmmaq OPT ISEQ I1 I2 ...    CHOPT 'OPT' ('_' stands for ' ') and ISEED; prints ISEED and ISEQ
program replay_cernlib
   implicit none
   integer, parameter :: most = 100000
   real :: vec(most)
   double precision :: wide(most)
   integer, parameter :: zeros(103) = 0
   integer :: words(103), seed(3), iseq, len, times, i, k, status
   character(2000) :: line
   character(12) :: word, chopt

   do
      read (*, "(a)", iostat=status) line
      if (status /= 0) exit
      read (line, *) word
      select case (word)
      case ("ranmar")
         read (line, *) word, len
         call ranmar(vec, len)
         print "(8z9.8)", vec(:len)
      case ("rmmar")
         read (line, *) word, iseq, len
         call rmmar(vec, len, iseq)
         print "(8z9.8)", vec(:len)
      case ("rm48")
         read (line, *) word, len
         call rm48(wide, len)
         print "(4z17.16)", wide(:len)
      case ("scan")
         read (line, *) word, times, len
         do i = 1, times
            call ranmar(vec, len)
            do k = 1, len
               if (vec(k) <= 2.**(-24)) print "(a,2i11,z9.8)", "scan", i, k, vec(k)
            end do
         end do
      case ("rmarin", "rm48in")
         read (line, *) word, seed
         if (word == "rmarin") call rmarin(seed(1), seed(2), seed(3))
         if (word == "rm48in") call rm48in(seed(1), seed(2), seed(3))
      case ("rmarut", "rm48ut")
         if (word == "rmarut") call rmarut(seed(1), seed(2), seed(3))
         if (word == "rm48ut") call rm48ut(seed(1), seed(2), seed(3))
         print "(a,3i11)", word, seed
      case ("constants")
         read (line, *) word, chopt
         if (chopt == "_") chopt = " "
         call rmmaq(zeros, 0, chopt)
      case ("rmmaq")
         words = 0
         read (line, *, iostat=status) word, chopt, iseq, words
         if (chopt == "_") chopt = " "
         call rmmaq(words, iseq, chopt)
         print "(a,i11/(8i11))", chopt, iseq, words
      end select
   end do
end program
