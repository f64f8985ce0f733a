! reference-numbers [--single] IJKL NTOT NTOT2 N
!
! Writes the N numbers that follow the first NTOT2*10**9 + NTOT of the sequence with seed IJKL
! (0..2147483647) to standard output, as binary in the machine's own byte order: DOUBLE PRECISION
! from the reference RMMARD, or with --single REAL from the reference RANMAR. Tests compare the
! bits.
program reference_numbers
   use, intrinsic :: iso_fortran_env, only: int64, error_unit
   implicit none
   integer, parameter :: chunk = 4096
   double precision :: double(chunk)
   real :: single(chunk)
   integer(int64) :: left
   integer :: seed(3), first, i, len, out
   logical :: in_single

   in_single = argument(1) == "--single"
   first = merge(2, 1, in_single)
   if (command_argument_count() /= first + 3) &
      call fail("usage: reference-numbers [--single] IJKL NTOT NTOT2 N")
   seed = [(int(number(first + i)), i=0, 2)]
   left = number(first + 3)

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

contains

   function argument(i) result(text)
      integer, intent(in) :: i
      character(32) :: text
      call get_command_argument(i, text)
   end function

   integer(int64) function number(i)
      integer, intent(in) :: i
      integer :: status
      character(32) :: text
      text = argument(i)
      read (text, *, iostat=status) number
      if (status /= 0 .or. number < 0) &
         call fail("reference-numbers: '"//trim(text)//"' is not a seed or a count")
   end function

   subroutine fail(text)
      character(*), intent(in) :: text
      write (error_unit, "(a)") text
      stop 2
   end subroutine
end program
