! RMMAQD: sets and reports the numbered sequences that RMMARD draws from, as CORSIKA's routine of
! that name does; docs/fortran.md has the arguments. It is in Fortran because it reads and writes
! the complete Fortran state on unit 11 of the Fortran program.
module gpuranmar_fortran_state
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_null_char, c_size_t
   implicit none
   private
   public :: current, choose, kseq, argument, check_rmmard, check_library, check_sequence
   public :: start, report, save_state, load_state

   ! csrc/fortran/fortran.c and rmmard.c define these C functions.
   type, bind(c) :: fortran_state
      integer(c_int) :: ijkl, ntot, ntot2, i97, j97
      real(c_double) :: c, u(97)
   end type

   interface
      ! The current sequence is accessed through routines, because LLVM's flang 16 cannot access a C
      ! variable.
      integer(c_int) function current() bind(c, name='ranmar_rmmaqd_current')
         import :: c_int
      end function
      subroutine choose(iseq) bind(c, name='ranmar_rmmaqd_select')
         import :: c_int
         integer(c_int), value :: iseq
      end subroutine
      ! Not declared as `procedure(choose)`: gfortran 12 would lose VALUE after the first call.
      subroutine check_sequence(routine, iseq) bind(c, name='gpuranmar_check_sequence')
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: routine(*)
         integer(c_int), value :: iseq
      end subroutine
      pure integer(c_int) function kseq() bind(c, name='ranmar_kseq')
         import :: c_int
      end function
      subroutine check_rmmard() bind(c, name='ranmar_check_rmmard')
      end subroutine
      subroutine check_text(name, text, length) bind(c, name='ranmar_rmmaqd_check_written')
         import :: c_char, c_size_t
         character(kind=c_char), intent(in) :: name(*), text(*)
         integer(c_size_t), value :: length
      end subroutine
      subroutine start(iseq, iseed) bind(c, name='ranmar_rmmaqd_set')
         import :: c_int
         integer(c_int), value :: iseq
         integer(c_int), intent(in) :: iseed(3)
      end subroutine
      subroutine report(iseq, iseed) bind(c, name='ranmar_rmmaqd_report')
         import :: c_int
         integer(c_int), value :: iseq
         integer(c_int), intent(out) :: iseed(3)
      end subroutine
      integer(c_int) function get(iseq, s) bind(c, name='ranmar_rmmaqd_get')
         import :: c_int, fortran_state
         integer(c_int), value :: iseq
         type(fortran_state), intent(out) :: s
      end function
      subroutine put(iseq, s) bind(c, name='ranmar_rmmaqd_put')
         import :: c_int, fortran_state
         integer(c_int), value :: iseq
         type(fortran_state), intent(in) :: s
      end subroutine
      subroutine stop_with(line) bind(c, name='ranmar_stop_with')
         import :: c_char
         character(kind=c_char), intent(in) :: line(*)
      end subroutine
   end interface
   procedure(check_rmmard), bind(c, name='ranmar_rmmaqd_check_library') :: check_library

   integer, parameter :: unit = 11
   character(*), parameter :: counters = '(3Z8)', ring = '(2Z8,Z16)', words = '(24(4Z16,/),Z16)'
   integer, parameter :: records_a_sequence = 25   ! as the format `words` writes them

contains

   ! Converts an argument to 32 bits, as ranmar_argument() of csrc/fortran/fortran.h does: in
   ! libgpuranmar_ilp64 an INTEGER has 64 bits.
   integer(c_int) function argument(name, n)
      character(*), intent(in) :: name
      integer, intent(in) :: n
      integer, parameter :: most = huge(0_c_int)
      character(20) :: value
      if (n > most .or. n < -most - 1) then
         write (value, '(i0)') n
         call stop_with('RMMAQD: '//name//' = '//trim(value)//' does not fit 32 bits'//c_null_char)
      end if
      argument = int(n, c_int)
   end function

   subroutine check_unit(iostat, what, iomsg)
      integer, intent(in) :: iostat
      character(*), intent(in) :: what, iomsg
      if (iostat /= 0) &
         call stop_with('RMMAQD: CHOPT = '//what//' unit 11: '//trim(iomsg)//c_null_char)
   end subroutine

   ! Writes counters and ring of one sequence, and the words of all sequences. A sequence that is
   ! not set has zeros.
   subroutine save_state(iseq)
      integer(c_int), intent(in) :: iseq
      type(fortran_state) :: s
      real(c_double) :: u(97, kseq())
      character(64) :: record(2 + records_a_sequence * kseq())
      integer(c_int) :: k, unused(3)
      integer :: i, iostat
      character(200) :: iomsg

      u = 0
      do k = 1, kseq()
         if (get(k, s) /= 0) u(:, k) = s%u
      end do
      if (get(iseq, s) == 0) call report(iseq, unused)   ! which stops and says so
      write (record(1), counters) s%ijkl, s%ntot, s%ntot2
      write (record(2), ring) s%i97, s%j97, s%c
      write (record(3:), words) u
      do i = 1, size(record)
         write (unit, '(a)', iostat=iostat, iomsg=iomsg) trim(record(i))
         call check_unit(iostat, 'RV: cannot write', iomsg)
      end do
      call check_written(record)
   end subroutine

   ! The records go to the disk when the unit is flushed or closed, and gfortran reports no error
   ! then. So this flushes the unit and compares the file with the records.
   subroutine check_written(record)
      character(*), intent(in) :: record(:)
      character(:), allocatable :: text
      character(4096) :: name
      logical :: named
      integer :: k, iostat
      character(200) :: iomsg

      flush (unit, iostat=iostat, iomsg=iomsg)
      call check_unit(iostat, 'RV: cannot write', iomsg)
      inquire (unit, named=named, name=name)
      if (.not. named) return
      text = ''
      do k = 1, size(record)
         text = text//trim(record(k))//new_line('a')
      end do
      call check_text(trim(name)//c_null_char, text, len(text, kind=c_size_t))
   end subroutine

   ! Reads what save_state() writes. As in the original, the other sequences keep their counters and
   ! ring, but take their words from the file. A sequence that was not set when the file was written
   ! has no words there, and keeps its own.
   subroutine load_state(iseq)
      integer(c_int), intent(in) :: iseq
      type(fortran_state) :: s
      real(c_double) :: u(97, kseq())
      integer(c_int) :: k
      integer :: iostat
      character(200) :: iomsg

      read (unit, counters, iostat=iostat, iomsg=iomsg) s%ijkl, s%ntot, s%ntot2
      if (iostat == 0) read (unit, ring, iostat=iostat, iomsg=iomsg) s%i97, s%j97, s%c
      if (iostat == 0) read (unit, words, iostat=iostat, iomsg=iomsg) u
      call check_unit(iostat, 'SV: cannot read a Fortran state from', iomsg)
      s%u = u(:, iseq)
      call put(iseq, s)
      do k = 1, kseq()
         if (k == iseq) cycle
         if (get(k, s) == 0 .or. all(abs(u(:, k)) <= 0)) cycle
         if (all(abs(s%u - u(:, k)) <= 0)) cycle
         s%u = u(:, k)
         call put(k, s)
      end do
   end subroutine

end module

subroutine rmmaqd(iseed, iseq, chopt)
   use, intrinsic :: iso_c_binding, only: c_int, c_null_char
   use gpuranmar_fortran_state
   implicit none
   integer :: iseed(3), iseq
   character(*) :: chopt
   integer(c_int), parameter :: default(3) = int([54217137, 0, 0], c_int)
   integer(c_int) :: chosen, seeds(3)
   character(12) :: options
   logical :: is_start, is_whole

   options = chopt
   call check_rmmard()
   is_start = options == ' ' .or. index(options, 'S') /= 0
   is_whole = index(options, 'V') /= 0
   if (.not. is_start .and. index(options, 'R') == 0) return
   ! Before an INTEGER is read: its size may differ in the caller.
   if (is_start) call check_library()
   ! Arguments and the current sequence change only when nothing can fail any more.
   chosen = current()
   if (options == ' ') chosen = 1
   if (iseq > 0) then ! one above KSEQ is refused: the program's own KSEQ may be larger
      chosen = argument('ISEQ', iseq)
      call check_sequence('RMMAQD'//c_null_char, chosen)
   end if
   if (options == ' ') then
      call start(chosen, default)
      iseed = default
   else if (is_start .and. is_whole) then
      call load_state(chosen)
   else if (is_start) then
      seeds = [argument('IJKL', iseed(1)), argument('NTOT', iseed(2)), argument('NTOT2', iseed(3))]
      call start(chosen, seeds)
   else if (is_whole) then
      call save_state(chosen)
   else
      call report(chosen, seeds)
      iseed = seeds
   end if
   call choose(chosen)
   if (.not. is_start .and. iseq <= 0) iseq = chosen
end subroutine
