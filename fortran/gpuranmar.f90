! The Fortran module: explicit interfaces for RMMARD and the other Fortran routines, and the C
! library's streams with Fortran arrays and text. docs/fortran.md, which is gpuranmar_fortran(3),
! describes it; csrc/include/gpuranmar.h describes the streams.
!
! Some compilers have no assumed rank, `(..)`. So assumed_rank.awk makes functions for ranks 0 to 7
! of each function that has it here, and that is what is compiled and installed.
module gpuranmar
   use, intrinsic :: iso_c_binding
   implicit none
   private

   public :: rmmard, rmmaqd, grncnt, grnsta
   public :: gpuranmar_options, gpuranmar_stream
   public :: gpuranmar_stream_initialise, gpuranmar_stream_get, gpuranmar_stream_fill
   public :: gpuranmar_stream_draw, gpuranmar_stream_skip, gpuranmar_stream_position
   public :: gpuranmar_stream_save, gpuranmar_stream_restore, gpuranmar_stream_close
   public :: gpuranmar_stream_seek, gpuranmar_stream_options, gpuranmar_stream_copy, gpuranmar_close
   public :: gpuranmar_initialise, gpuranmar_get, gpuranmar_get_unbuffered
   public :: gpuranmar_version, gpuranmar_strerror, gpuranmar_last_error

   ! What functions return.
   enum, bind(c)
      enumerator :: gpuranmar_ok = 0, gpuranmar_bad_argument, gpuranmar_bad_setting, &
         gpuranmar_bad_state, gpuranmar_not_set, gpuranmar_no_memory, gpuranmar_no_backend, &
         gpuranmar_two_libraries
   end enum
   public :: gpuranmar_ok, gpuranmar_bad_argument, gpuranmar_bad_setting, gpuranmar_bad_state, &
      gpuranmar_not_set, gpuranmar_no_memory, gpuranmar_no_backend, gpuranmar_two_libraries

   ! Flavours.
   enum, bind(c)
      enumerator :: gpuranmar_double = 0, gpuranmar_single, gpuranmar_extended, &
         gpuranmar_keyed
   end enum
   public :: gpuranmar_double, gpuranmar_single, gpuranmar_extended, gpuranmar_keyed

   ! Back ends.
   enum, bind(c)
      enumerator :: gpuranmar_cpu = 0, gpuranmar_cuda, gpuranmar_opencl
   end enum
   public :: gpuranmar_cpu, gpuranmar_cuda, gpuranmar_opencl

   ! The options of a stream. Do not set `bytes`: it is the size of this type at compile time, by
   ! which a later version with more options recognises the program. (`bytes` itself and 48 more: 56
   ! on 64-bit machines, 52 on a 32-bit x86.)
   integer(c_size_t), parameter :: bytes_of_options = 48 + storage_size(0_c_size_t)/8
   type, bind(c) :: gpuranmar_options
      integer(c_size_t) :: bytes = bytes_of_options
      integer(c_int64_t) :: seed = 54217137
      integer(c_int64_t) :: position = 0
      integer(c_int) :: flavour = gpuranmar_double
      integer(c_int) :: backend = gpuranmar_cpu
      integer(c_int64_t) :: instances = 1
      integer(c_int64_t) :: prefetch = 0
      integer(c_int) :: threads = 0
      integer(c_int), private :: reserved = 0
   end type

   type :: gpuranmar_stream
      private
      type(c_ptr) :: handle = c_null_ptr
   contains
      procedure, private :: copy => copy_stream
      generic :: assignment(=) => copy
   end type

   integer, parameter, public :: gpuranmar_saved_state_size = 80

   interface gpuranmar_stream_get
      procedure get_double, get_single ! (..)
   end interface
   interface gpuranmar_stream_fill
      procedure fill_double, fill_single ! (..)
   end interface
   interface gpuranmar_get
      procedure sequence_get ! (..)
   end interface
   interface gpuranmar_get_unbuffered
      procedure sequence_fill ! (..)
   end interface
   interface gpuranmar_stream_draw
      procedure draw_double, draw_single
   end interface

   ! CORSIKA's routines, and two more for code that read the state from CORSIKA's COMMON.
   interface
      subroutine rmmard(rvec, lenv, iseq)
         import :: c_double, c_int
         integer(c_int) :: lenv, iseq
         real(c_double) :: rvec(*)
      end subroutine
      subroutine rmmaqd(iseed, iseq, chopt)
         import :: c_int
         integer(c_int) :: iseed(3), iseq
         character(*) :: chopt
      end subroutine
      subroutine grncnt(iseq, ntot, ntot2)
         import :: c_int
         integer(c_int) :: iseq, ntot, ntot2
      end subroutine
      subroutine grnsta(iseq, ijkl, ntot, ntot2, i97, j97, c, u)
         import :: c_double, c_int
         integer(c_int) :: iseq, ijkl, ntot, ntot2, i97, j97
         real(c_double) :: c, u(97)
      end subroutine
   end interface

   ! The C library: two functions are public, the functions below call the others.
   interface
      integer(c_int) function c_initialise(stream, options) &
         bind(c, name='gpuranmar_stream_initialise')
         import :: c_int, c_ptr, gpuranmar_options
         type(c_ptr), intent(inout) :: stream
         type(gpuranmar_options), intent(in), optional :: options
      end function
      integer(c_int) function c_get(stream, out, n) bind(c, name='gpuranmar_stream_get')
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), value :: stream, out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function c_get_single(stream, out, n) &
         bind(c, name='gpuranmar_stream_get_single')
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), value :: stream, out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function c_fill(stream, out, n) bind(c, name='gpuranmar_stream_fill')
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), value :: stream, out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function c_fill_single(stream, out, n) &
         bind(c, name='gpuranmar_stream_fill_single')
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), value :: stream, out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function c_draw(stream, numbers, n) bind(c, name='gpuranmar_stream_draw')
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), value :: stream
         type(c_ptr) :: numbers
         integer(c_size_t), value :: n
      end function
      integer(c_int) function c_skip(stream, n) bind(c, name='gpuranmar_stream_skip')
         import :: c_int, c_ptr, c_int64_t
         type(c_ptr), value :: stream
         integer(c_int64_t), value :: n
      end function
      integer(c_int) function c_copy(copy, stream) bind(c, name='gpuranmar_stream_copy')
         import :: c_int, c_ptr
         type(c_ptr), intent(inout) :: copy
         type(c_ptr), value :: stream
      end function
      integer(c_int) function c_options(stream, options) bind(c, name='gpuranmar_stream_options')
         import :: c_int, c_ptr, gpuranmar_options
         type(c_ptr), value :: stream
         type(gpuranmar_options), intent(inout) :: options
      end function
      integer(c_int) function gpuranmar_close(id) bind(c)
         import :: c_int
         integer(c_int), value :: id
      end function
      integer(c_int) function c_position(stream, position) bind(c, name='gpuranmar_stream_position')
         import :: c_int, c_ptr, c_int64_t
         type(c_ptr), value :: stream
         integer(c_int64_t) :: position
      end function
      integer(c_int) function c_save(stream, saved, bytes) bind(c, name='gpuranmar_stream_save')
         import :: c_int, c_ptr, c_char, c_size_t
         type(c_ptr), value :: stream
         character(kind=c_char) :: saved(*)
         integer(c_size_t), value :: bytes
      end function
      subroutine c_close(stream) bind(c, name='gpuranmar_stream_close')
         import :: c_ptr
         type(c_ptr), value :: stream
      end subroutine
      integer(c_int) function gpuranmar_initialise(id, ij, kl, instances, prefetch) bind(c)
         import :: c_int, c_int64_t
         integer(c_int), value :: id, ij, kl, instances
         integer(c_int64_t), value :: prefetch
      end function
      integer(c_int) function c_sequence_get(id, out, n) bind(c, name='gpuranmar_get')
         import :: c_int, c_ptr, c_size_t
         integer(c_int), value :: id
         type(c_ptr), value :: out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function c_sequence_fill(id, out, n) bind(c, name='gpuranmar_get_unbuffered')
         import :: c_int, c_ptr, c_size_t
         integer(c_int), value :: id
         type(c_ptr), value :: out
         integer(c_size_t), value :: n
      end function
      type(c_ptr) function c_version() bind(c, name='gpuranmar_version')
         import :: c_ptr
      end function
      type(c_ptr) function c_strerror(error) bind(c, name='gpuranmar_strerror')
         import :: c_int, c_ptr
         integer(c_int), value :: error
      end function
      integer(c_size_t) function strlen(text) bind(c)
         import :: c_ptr, c_size_t
         type(c_ptr), value :: text
      end function
   end interface
   ! Functions with the interface of another one. Call each only once in this file, and keep them
   ! private: gfortran 12 loses VALUE in every later call of a function declared by procedure().
   procedure(c_draw), bind(c, name='gpuranmar_stream_draw_single') :: c_draw_single
   procedure(c_skip), bind(c, name='gpuranmar_stream_seek') :: c_seek
   procedure(c_save), bind(c, name='gpuranmar_stream_restore') :: c_restore
   procedure(c_version), bind(c, name='gpuranmar_last_error') :: c_last_error

contains

   ! A stream that is open already is closed, once the new one exists.
   integer function gpuranmar_stream_initialise(stream, options) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      type(gpuranmar_options), intent(in), optional :: options
      type(c_ptr) :: handle
      error = c_initialise(handle, options)
      if (error /= gpuranmar_ok) return
      call gpuranmar_stream_close(stream)
      stream%handle = handle
   end function

   integer function get_double(stream, out) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      real(c_double), intent(inout), contiguous, target :: out(..)
      error = c_get(stream%handle, c_loc(out), size(out, kind=c_size_t))
   end function

   integer function get_single(stream, out) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      real(c_float), intent(inout), contiguous, target :: out(..)
      error = c_get_single(stream%handle, c_loc(out), size(out, kind=c_size_t))
   end function

   integer function fill_double(stream, out) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      real(c_double), intent(inout), contiguous, target :: out(..)
      error = c_fill(stream%handle, c_loc(out), size(out, kind=c_size_t))
   end function

   integer function fill_single(stream, out) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      real(c_float), intent(inout), contiguous, target :: out(..)
      error = c_fill_single(stream%handle, c_loc(out), size(out, kind=c_size_t))
   end function

   ! `numbers` points to the next n numbers in the stream's own memory. It is valid until the next
   ! call on the stream.
   integer function draw_double(stream, numbers, n) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      real(c_double), pointer, intent(inout) :: numbers(:)
      integer, intent(in) :: n
      type(c_ptr) :: address
      error = c_draw(stream%handle, address, int(n, c_size_t))
      if (error == gpuranmar_ok) call c_f_pointer(address, numbers, [n])
   end function

   integer function draw_single(stream, numbers, n) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      real(c_float), pointer, intent(inout) :: numbers(:)
      integer, intent(in) :: n
      type(c_ptr) :: address
      error = c_draw_single(stream%handle, address, int(n, c_size_t))
      if (error == gpuranmar_ok) call c_f_pointer(address, numbers, [n])
   end function

   integer function gpuranmar_stream_skip(stream, n) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      integer(c_int64_t), intent(in) :: n
      error = c_skip(stream%handle, n)
   end function

   integer function gpuranmar_stream_seek(stream, position) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      integer(c_int64_t), intent(in) :: position
      error = c_seek(stream%handle, position)
   end function

   integer function gpuranmar_stream_options(stream, options) result(error)
      type(gpuranmar_stream), intent(in) :: stream
      type(gpuranmar_options), intent(inout) :: options
      error = c_options(stream%handle, options)
   end function

   ! If `copy` is open before, that stream is closed, unless there is an error.
   integer function gpuranmar_stream_copy(copy, stream) result(error)
      type(gpuranmar_stream), intent(inout) :: copy
      type(gpuranmar_stream), intent(in) :: stream
      type(c_ptr) :: handle
      error = c_copy(handle, stream%handle)
      if (error /= gpuranmar_ok) return
      call c_close(copy%handle)
      copy%handle = handle
   end function

   ! b = a; for arrays, each element. If b is open before, that stream is closed. An assignment
   ! cannot return an error: b is a closed stream if a is closed or there is no memory.
   impure elemental subroutine copy_stream(to, from)
      class(gpuranmar_stream), intent(inout) :: to
      class(gpuranmar_stream), intent(in) :: from
      type(c_ptr) :: handle
      integer :: ignored
      handle = c_null_ptr
      if (c_associated(from%handle)) ignored = c_copy(handle, from%handle)
      call c_close(to%handle)
      to%handle = handle
   end subroutine

   integer function gpuranmar_stream_position(stream, position) result(error)
      type(gpuranmar_stream), intent(in) :: stream
      integer(c_int64_t), intent(inout) :: position
      error = c_position(stream%handle, position)
   end function

   ! `saved` must have gpuranmar_saved_state_size characters.
   integer function gpuranmar_stream_save(stream, saved) result(error)
      type(gpuranmar_stream), intent(in) :: stream
      character(*, kind=c_char), intent(inout) :: saved
      error = c_save(stream%handle, saved, len(saved, kind=c_size_t))
   end function

   integer function gpuranmar_stream_restore(stream, saved) result(error)
      type(gpuranmar_stream), intent(inout) :: stream
      character(*, kind=c_char), intent(in) :: saved
      error = c_restore(stream%handle, saved, len(saved, kind=c_size_t))
   end function

   subroutine gpuranmar_stream_close(stream)
      type(gpuranmar_stream), intent(inout) :: stream
      call c_close(stream%handle)
      stream%handle = c_null_ptr
   end subroutine

   integer function sequence_get(id, out) result(error)
      integer, intent(in) :: id
      real(c_double), intent(inout), contiguous, target :: out(..)
      error = c_sequence_get(id, c_loc(out), size(out, kind=c_size_t))
   end function

   integer function sequence_fill(id, out) result(error)
      integer, intent(in) :: id
      real(c_double), intent(inout), contiguous, target :: out(..)
      error = c_sequence_fill(id, c_loc(out), size(out, kind=c_size_t))
   end function

   function gpuranmar_version() result(text)
      character(:, kind=c_char), allocatable :: text
      text = fortran_text(c_version())
   end function

   function gpuranmar_strerror(error) result(text)
      integer, intent(in) :: error
      character(:, kind=c_char), allocatable :: text
      text = fortran_text(c_strerror(error))
   end function

   function gpuranmar_last_error() result(text)
      character(:, kind=c_char), allocatable :: text
      text = fortran_text(c_last_error())
   end function

   function fortran_text(c_text) result(text)
      type(c_ptr), intent(in) :: c_text
      character(:, kind=c_char), allocatable :: text
      character(kind=c_char), pointer :: letters(:)
      integer :: i
      call c_f_pointer(c_text, letters, [strlen(c_text)])
      allocate (character(size(letters)) :: text)
      do i = 1, size(letters)
         text(i:i) = letters(i)
      end do
   end function

end module
