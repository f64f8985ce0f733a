! The Fortran interface to cuda/include/gpuranmar_cuda.h, which describes it: calls that fill device
! memory with RANMAR's numbers, on the caller's CUDA stream. Link with -lgpuranmar_cuda.
!
! Device memory and CUDA streams are type(c_ptr), as CUDA's run-time library gives them; in CUDA
! Fortran, c_devloc(array) is the address of an array, and transfer(handle, c_null_ptr) is the
! stream of an integer handle. c_null_ptr is the default stream.
!
!    use gpuranmar, only: gpuranmar_double
!    use gpuranmar_cuda
!    type(c_ptr) :: generator
!    character(128) :: line
!    if (gpuranmar_cuda_create(generator, gpuranmar_double) /= 0) then
!       call gpuranmar_cuda_error(line, len(line, c_size_t))
!       error stop line
!    end if
!    error = gpuranmar_cuda_set_seed(generator, 42_c_int64_t)
!    error = gpuranmar_cuda_generate_double(generator, device_memory, n)
!    call gpuranmar_cuda_destroy(generator)
!
! Functions return gpuranmar_ok or another error. Module gpuranmar has the errors and the flavours.
module gpuranmar_cuda
   use, intrinsic :: iso_c_binding
   implicit none
   private

   public :: gpuranmar_cuda_create, gpuranmar_cuda_destroy, gpuranmar_cuda_set_stream
   public :: gpuranmar_cuda_set_seed, gpuranmar_cuda_set_position, gpuranmar_cuda_set_instances
   public :: gpuranmar_cuda_generate_double, gpuranmar_cuda_generate_single
   public :: gpuranmar_cuda_states, gpuranmar_cuda_position, gpuranmar_cuda_error
   public :: gpuranmar_cuda_jumps, gpuranmar_cuda_state_size
   public :: c_ptr, c_null_ptr, c_int, c_int64_t, c_size_t

   ! The bytes of a state: gpuranmar_cuda_states writes `count` states.
   integer(c_size_t), parameter :: gpuranmar_cuda_state_size = 784

   interface
      integer(c_int) function gpuranmar_cuda_create(generator, flavour) bind(c)
         import
         type(c_ptr), intent(out) :: generator
         integer(c_int), value :: flavour
      end function
      subroutine gpuranmar_cuda_destroy(generator) bind(c)
         import
         type(c_ptr), value :: generator
      end subroutine
      integer(c_int) function gpuranmar_cuda_set_stream(generator, stream) bind(c)
         import
         type(c_ptr), value :: generator, stream
      end function
      integer(c_int) function gpuranmar_cuda_set_seed(generator, seed) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), value :: seed
      end function
      ! The position is in 0..2^63-1, not up to 2^63: Fortran's integers have a sign. (Do not use
      ! `procedure(...)` here: gfortran 12 loses VALUE in every call after the first.)
      integer(c_int) function gpuranmar_cuda_set_position(generator, position) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), value :: position
      end function
      integer(c_int) function gpuranmar_cuda_set_instances(generator, instances, block) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), value :: instances, block
      end function
      integer(c_int) function gpuranmar_cuda_generate_double(generator, out, n) bind(c)
         import
         type(c_ptr), value :: generator, out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function gpuranmar_cuda_generate_single(generator, out, n) bind(c)
         import
         type(c_ptr), value :: generator, out
         integer(c_size_t), value :: n
      end function
      integer(c_int) function gpuranmar_cuda_states(generator, states, count, distance) bind(c)
         import
         type(c_ptr), value :: generator, states
         integer(c_size_t), value :: count
         integer(c_int64_t), value :: distance
      end function
      integer(c_int) function gpuranmar_cuda_jumps(generator, jumps) bind(c)
         import
         type(c_ptr), value :: generator
         type(c_ptr), intent(out) :: jumps
      end function
      integer(c_int) function gpuranmar_cuda_position(generator, position) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), intent(out) :: position
      end function
      ! Describes the last error in this thread in one line, padded with blanks; `size` is
      ! len(line).
      subroutine gpuranmar_cuda_error(line, size) bind(c)
         import
         character(kind=c_char), intent(out) :: line(*)
         integer(c_size_t), value :: size
      end subroutine
   end interface
end module
