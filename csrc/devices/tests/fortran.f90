! The module gpuranmar_opencl reaches the library: a buffer gets the numbers that the module gpuranmar
! delivers on the CPU, and errors come back.
program fortran
   use, intrinsic :: iso_c_binding, only: c_loc, c_double, c_int32_t, c_null_char
   use gpuranmar
   use gpuranmar_opencl
   implicit none
   integer, parameter :: n = 1000
   integer(c_int64_t), parameter :: everything = int(z'FFFFFFFF', c_int64_t), read_write = 1
   real(c_double), target :: got(n + 1), want(n)
   type(c_ptr), target :: platform, device
   type(c_ptr) :: context, queue, buffer, generator, jumps
   type(gpuranmar_options) :: options
   type(gpuranmar_stream) :: stream
   integer(c_int64_t) :: position
   integer(c_int) :: error
   character(512) :: line
   logical :: good

   interface
      integer(c_int) function clGetPlatformIDs(room, platforms, count) bind(c, name='clGetPlatformIDs')
         import
         integer(c_int), value :: room
         type(c_ptr), value :: platforms, count
      end function
      integer(c_int) function clGetDeviceIDs(platform, kind, room, devices, count) &
         bind(c, name='clGetDeviceIDs')
         import
         type(c_ptr), value :: platform, devices, count
         integer(c_int64_t), value :: kind
         integer(c_int), value :: room
      end function
      type(c_ptr) function clCreateContext(properties, count, devices, notify, user, error) &
         bind(c, name='clCreateContext')
         import
         type(c_ptr), value :: properties, devices, notify, user
         integer(c_int), value :: count
         integer(c_int) :: error
      end function
      type(c_ptr) function clCreateCommandQueue(context, device, properties, error) &
         bind(c, name='clCreateCommandQueue')
         import
         type(c_ptr), value :: context, device
         integer(c_int64_t), value :: properties
         integer(c_int) :: error
      end function
      type(c_ptr) function clCreateBuffer(context, flags, size, host, error) &
         bind(c, name='clCreateBuffer')
         import
         type(c_ptr), value :: context, host
         integer(c_int64_t), value :: flags
         integer(c_size_t), value :: size
         integer(c_int) :: error
      end function
      integer(c_int) function clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, waits, &
                                                  wait_for, event) bind(c, name='clEnqueueReadBuffer')
         import
         type(c_ptr), value :: queue, buffer, to, wait_for, event
         integer(c_int), value :: blocking, waits
         integer(c_size_t), value :: offset, size
      end function
   end interface

   good = gpuranmar_opencl_create(generator, c_null_ptr, gpuranmar_double) == 1
   call gpuranmar_opencl_error(line, len(line, c_size_t))
   call report(1, good .and. index(line, 'queue is a null pointer') > 0, 'a bad argument is named')

   error = clGetPlatformIDs(1, c_loc(platform), c_null_ptr)
   if (error == 0) error = clGetDeviceIDs(platform, everything, 1, c_loc(device), c_null_ptr)
   if (error /= 0) then
      print '(a)', 'ok 2 - a generator # SKIP no OpenCL device'
   else
      context = clCreateContext(c_null_ptr, 1, c_loc(device), c_null_ptr, c_null_ptr, error)
      queue = clCreateCommandQueue(context, device, 0_c_int64_t, error)
      buffer = clCreateBuffer(context, read_write, 8_c_size_t*(n + 1), c_null_ptr, error)
      good = gpuranmar_opencl_create(generator, queue, gpuranmar_double) == 0
      good = gpuranmar_opencl_set_queue(generator, queue) == 0 .and. good
      good = gpuranmar_opencl_set_seed(generator, 42_c_int64_t) == 0 .and. good
      good = gpuranmar_opencl_set_instances(generator, 2_c_int64_t, 7_c_int64_t) == 0 .and. good
      good = gpuranmar_opencl_set_instances(generator, 1_c_int64_t, 1_c_int64_t) == 0 .and. good
      good = gpuranmar_opencl_set_position(generator, 2_c_int64_t**39) == 0 .and. good
      good = gpuranmar_opencl_set_position(generator, 2_c_int64_t**40) == 0 .and. good
      good = gpuranmar_opencl_generate(generator, buffer, 1_c_size_t, int(n, c_size_t), &
                                       0, c_null_ptr, c_null_ptr) == 0 .and. good
      good = clEnqueueReadBuffer(queue, buffer, 1, 0_c_size_t, 8_c_size_t*(n + 1), &
                                 c_loc(got), 0, c_null_ptr, c_null_ptr) == 0 .and. good
      good = gpuranmar_opencl_position(generator, position) == 0 .and. good
      good = good .and. position == 2_c_int64_t**40 + n
      options%seed = 42
      options%position = 2_c_int64_t**40
      options%backend = gpuranmar_cpu
      good = gpuranmar_stream_initialise(stream, options) == 0 .and. good
      good = gpuranmar_stream_get(stream, want) == 0 .and. good
      good = good .and. all(transfer(got(2:), [position]) == transfer(want, [position]))
      call report(2, good, 'the CPU''s numbers')
      good = gpuranmar_opencl_jumps(generator, jumps) == 0
      good = gpuranmar_opencl_states(generator, buffer, 10_c_size_t, 5_c_int64_t) == 0 .and. good
      good = gpuranmar_opencl_options(generator, line, len(line, c_size_t)) == 0 .and. good
      call report(3, good .and. index(line, 'GPURANMAR_BITS=48') > 0, 'for kernels')
      call gpuranmar_opencl_destroy(generator)
   end if
   print '(a)', '1..3'

contains

   include '../../../validate/tests/report.inc'

end program
