! reference-numbers [--single] IJKL NTOT NTOT2 N
!
! Writes the N numbers that follow the first NTOT2*10**9 + NTOT of the sequence with seed IJKL
! (0..2147483647) to standard output, as binary in the machine's own byte order: DOUBLE PRECISION
! from the reference RMMARD, or with --single REAL from the reference RANMAR. Tests compare the
! bits.
program reference_numbers
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   integer, parameter :: chunk = 4096
   double precision :: double(chunk)
   real :: single(chunk)
   integer(int64) :: numbers(4), left
   integer :: seed(3), first, i, len, out
   logical :: in_single
   character(32) :: text

   call get_command_argument(1, text)
   in_single = text == "--single"
   first = merge(2, 1, in_single)
   do i = 1, 4
      call get_command_argument(first + i - 1, text)
      read (text, *) numbers(i)
   end do
   seed = int(numbers(:3))
   left = numbers(4)

   ! action="write": if a pipe were open for reading too, it would not report that its reader has
   ! closed
   open (newunit=out, file="/dev/stdout", access="stream", form="unformatted", action="write")
   if (in_single) then
      call rmarin(seed(1), seed(2), seed(3))
   else
      call rmmaqd(seed, 1, "S")
   end if
   do while (left > 0)
      len = int(min(left, int(chunk, int64)))
      if (in_single) then
         call ranmar(single, len)
         write (out) single(:len)
      else
         call rmmard(double, len, 1)
         write (out) double(:len)
      end if
      left = left - len
   end do
end program
