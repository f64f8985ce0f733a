! RMMAQD, as CORSIKA's routine of that name; docs/fortran.md has the arguments. Only its CHARACTER
! argument and unit 11 of the program need Fortran. The rest is in csrc/fortran/rmmard.c.
module gpuranmar_unit_11
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_null_char, c_size_t
   use, intrinsic :: iso_fortran_env, only: iostat_end
   implicit none
   private

   ! struct ranmar_fortran_state of csrc/definition/fortran_state.h.
   type, bind(c) :: fortran_state
      integer(c_int) :: ijkl, ntot, ntot2, i97, j97
      real(c_double) :: c, u(97)
   end type

   interface
      subroutine check_written(name, text, length) bind(c, name='ranmar_rmmaqd_check_written')
         import :: c_char, c_size_t
         character(kind=c_char), intent(in) :: name(*), text(*)
         integer(c_size_t), value :: length
      end subroutine
      subroutine stop_with(line) bind(c, name='ranmar_stop_with')
         import :: c_char
         character(kind=c_char), intent(in) :: line(*)
      end subroutine
   end interface

   integer, parameter :: unit = 11
   character(*), parameter :: counters = '(3Z8)', ring = '(2Z8,Z16)', words = '(24(4Z16,/),Z16)'

contains

   include 'unit_is_known.inc'

   subroutine check_unit(iostat, what, iomsg)
      integer, intent(in) :: iostat
      character(*), intent(in) :: what, iomsg
      if (iostat /= 0) &
         call stop_with('RMMAQD: CHOPT = '//what//' unit 11: '//trim(iomsg)//c_null_char)
   end subroutine

   ! Writes lines, each with a newline at its end. They go to the disk when the unit is flushed or
   ! closed, and gfortran reports no error then. So this flushes the unit and compares the file with
   ! the lines.
   subroutine write_lines(text, length) bind(c, name='ranmar_rmmaqd_write')
      character(kind=c_char), intent(in) :: text(*)
      integer(c_size_t), value :: length

      call write_records(text, length)
   end subroutine

   subroutine write_records(text, length)
      integer(c_size_t), intent(in) :: length
      character(length), intent(in) :: text(1) ! an array, so that C's characters may be passed
      character(4096) :: name
      logical :: named
      integer(c_size_t) :: at, n
      integer :: iostat
      character(200) :: iomsg

      call check_unit_is_known(unit, iostat, iomsg)
      call check_unit(iostat, 'RV: cannot write', iomsg)
      at = 1
      do while (at <= length)
         n = 1
         do while (text(1)(at + n - 1:at + n - 1) /= new_line('a')) ! index() is slower
            n = n + 1
         end do
         write (unit, '(a)', iostat=iostat, iomsg=iomsg) text(1)(at:at + n - 2)
         call check_unit(iostat, 'RV: cannot write', iomsg)
         at = at + n
      end do
      flush (unit, iostat=iostat, iomsg=iomsg)
      call check_unit(iostat, 'RV: cannot write', iomsg)
      inquire (unit, named=named, name=name)
      if (named) call check_written(trim(name)//c_null_char, text(1), length)
   end subroutine

   ! Reads counters and ring of sequence iseq, and the words of all sequences.
   subroutine read_states(iseq, kseq, s) bind(c, name='ranmar_rmmaqd_read')
      integer(c_int), intent(in) :: iseq, kseq
      type(fortran_state), intent(inout) :: s(kseq)
      integer :: k, iostat
      character(200) :: iomsg

      call check_unit_is_known(unit, iostat, iomsg)
      if (iostat == 0) read (unit, counters, iostat=iostat, iomsg=iomsg) &
         s(iseq)%ijkl, s(iseq)%ntot, s(iseq)%ntot2
      if (iostat == 0) &
         read (unit, ring, iostat=iostat, iomsg=iomsg) s(iseq)%i97, s(iseq)%j97, s(iseq)%c
      if (iostat == 0) then
         read (unit, words, iostat=iostat, iomsg=iomsg) (s(k)%u, k=1, kseq)
         if (iostat == iostat_end) iomsg = trim(iomsg)//' where words of another sequence are '// &
            'expected, of as many as GPURANMAR_SEQUENCES says'
      end if
      call check_unit(iostat, 'SV: cannot read a Fortran state from', iomsg)
   end subroutine

end module

subroutine rmmaqd(iseed, iseq, chopt)
   use, intrinsic :: iso_c_binding, only: c_char, c_loc, c_ptr
   implicit none
   integer, target :: iseed(3), iseq ! of 64 bits in libgpuranmar_ilp64
   character(*) :: chopt
   character(12) :: options

   interface
      subroutine rmmaqd_options(iseed, iseq, options) bind(c, name='ranmar_rmmaqd')
         import :: c_char, c_ptr
         type(c_ptr), value :: iseed, iseq
         character(kind=c_char), intent(in) :: options(12)
      end subroutine
   end interface

   options = chopt
   call rmmaqd_options(c_loc(iseed), c_loc(iseq), options)
end subroutine
