! Replays calls of RMMARD and RMMAQD read from standard input, one a line, and prints what they
! return. It is built with the reference and with the library: the same script must print the same
! text with both.
!
!   draw ISEQ LENV         RMMARD; prints the numbers' bits
!   OPT ISEQ I1 I2 I3      RMMAQD with CHOPT 'OPT' ('_' stands for ' '); prints ISEED and ISEQ
!   constants OPT          RMMAQD with constants 0 for all arguments, which it must not write to
!   file NAME              opens the file NAME at its start as unit 11, for the V forms
program replay
   implicit none
   double precision :: rvec(1000)
   integer :: seed(3), iseq, lenv, status
   integer, parameter :: zeros(3) = 0
   character(200) :: line, word
   character(12) :: chopt

   do
      read (*, "(a)", iostat=status) line
      if (status /= 0) exit
      read (line, *) word
      select case (word)
      case ("draw")
         read (line, *) word, iseq, lenv
         call rmmard(rvec, lenv, iseq)
         print "(4z17.16)", rvec(:lenv)
      case ("constants")
         read (line, *) word, chopt
         if (chopt == "_") chopt = " "
         call rmmaqd(zeros, 0, chopt)
      case ("file")
         read (line, *) word, word
         close (11)
         open (11, file=word)
      case default
         read (line, *) chopt, iseq, seed
         if (chopt == "_") chopt = " "
         call rmmaqd(seed, iseq, chopt)
         print "(a,4i11)", chopt, seed, iseq
      end select
   end do
end program
