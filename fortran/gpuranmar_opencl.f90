! The Fortran interface to csrc/devices/include/gpuranmar_opencl.h, which describes it: calls that
! fill OpenCL buffers with RANMAR's numbers, on the caller's command queue. Link with
! -lgpuranmar_opencl -lOpenCL.
!
! Queues, buffers and events are type(c_ptr), as OpenCL's C functions return them.
!
!    use gpuranmar, only: gpuranmar_double
!    use gpuranmar_opencl
!    type(c_ptr) :: generator
!    character(128) :: line
!    if (gpuranmar_opencl_create(generator, queue, gpuranmar_double) /= 0) then
!       call gpuranmar_opencl_error(line, len(line, c_size_t))
!       error stop line
!    end if
!    error = gpuranmar_opencl_set_seed(generator, 42_c_int64_t)
!    error = gpuranmar_opencl_generate(generator, buffer, 0_c_size_t, n, 0, c_null_ptr, c_null_ptr)
!    call gpuranmar_opencl_destroy(generator)
!
! Functions return gpuranmar_ok or another error. Module gpuranmar has the errors and the flavours.
module gpuranmar_opencl
   use, intrinsic :: iso_c_binding
   implicit none
   private

   public :: gpuranmar_opencl_create, gpuranmar_opencl_destroy, gpuranmar_opencl_set_queue
   public :: gpuranmar_opencl_set_seed, gpuranmar_opencl_set_position
   public :: gpuranmar_opencl_set_instances, gpuranmar_opencl_generate, gpuranmar_opencl_states
   public :: gpuranmar_opencl_jumps, gpuranmar_opencl_options, gpuranmar_opencl_position
   public :: gpuranmar_opencl_error, gpuranmar_opencl_state_size
   public :: c_ptr, c_null_ptr, c_int, c_int64_t, c_size_t

   ! The bytes of a state: gpuranmar_opencl_states writes `count` states.
   integer(c_size_t), parameter :: gpuranmar_opencl_state_size = 784

   interface
      integer(c_int) function gpuranmar_opencl_create(generator, queue, flavour) bind(c)
         import
         type(c_ptr), intent(out) :: generator
         type(c_ptr), value :: queue
         integer(c_int), value :: flavour
      end function

      subroutine gpuranmar_opencl_destroy(generator) bind(c)
         import
         type(c_ptr), value :: generator
      end subroutine

      integer(c_int) function gpuranmar_opencl_set_queue(generator, queue) bind(c)
         import
         type(c_ptr), value :: generator, queue
      end function

      integer(c_int) function gpuranmar_opencl_set_seed(generator, seed) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), value :: seed
      end function

      ! The position is in 0..2^63-1, not up to 2^63: Fortran's integers have a sign. (Do not use
      ! `procedure(...)` here: gfortran 12 loses VALUE in every call after the first.)
      integer(c_int) function gpuranmar_opencl_set_position(generator, position) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), value :: position
      end function

      integer(c_int) function gpuranmar_opencl_set_instances(generator, instances, block) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), value :: instances, block
      end function

      ! wait_for is the c_loc of an array of `waits` events, and event the c_loc of a type(c_ptr)
      ! for the new event. Both may be c_null_ptr.
      integer(c_int) function gpuranmar_opencl_generate(generator, out, offset, n, waits, &
                                                        wait_for, event) bind(c)
         import
         type(c_ptr), value :: generator, out, wait_for, event
         integer(c_size_t), value :: offset, n
         integer(c_int), value :: waits
      end function

      integer(c_int) function gpuranmar_opencl_states(generator, states, count, distance) bind(c)
         import
         type(c_ptr), value :: generator, states
         integer(c_size_t), value :: count
         integer(c_int64_t), value :: distance
      end function

      integer(c_int) function gpuranmar_opencl_jumps(generator, jumps) bind(c)
         import
         type(c_ptr), value :: generator
         type(c_ptr), intent(out) :: jumps
      end function

      ! The options end with a c_null_char.
      integer(c_int) function gpuranmar_opencl_options(generator, options, size) bind(c)
         import
         type(c_ptr), value :: generator
         character(kind=c_char), intent(out) :: options(*)
         integer(c_size_t), value :: size
      end function

      integer(c_int) function gpuranmar_opencl_position(generator, position) bind(c)
         import
         type(c_ptr), value :: generator
         integer(c_int64_t), intent(out) :: position
      end function

      ! Describes the last error in this thread in one line, padded with blanks; `size` is
      ! len(line).
      subroutine gpuranmar_opencl_error(line, size) bind(c)
         import
         character(kind=c_char), intent(out) :: line(*)
         integer(c_size_t), value :: size
      end subroutine
   end interface
end module
