! OpenMP threads: one sequence, cut among the threads by position. The points are the same for any
! number of threads.
program threads
   use gpuranmar
   use, intrinsic :: iso_fortran_env, only: int64
   !$ use omp_lib
   implicit none
   integer(int64), parameter :: points = 1000000
   integer(int64) :: thread, all, n

   n = 0
   !$omp parallel private(thread, all) reduction(+:n)
   thread = 0
   all = 1
   !$ thread = omp_get_thread_num()
   !$ all = omp_get_num_threads()
   n = count_points(points*thread/all, points*(thread + 1)/all)
   !$omp end parallel
   print '(i0,a)', n, ' of 1000000 points lie in the circle'

contains

   ! How many of the points first+1..last. The stream is a local variable, since gfortran does not
   ! initialise one that is PRIVATE.
   integer(int64) function count_points(first, last)
      integer(int64), intent(in) :: first, last
      type(gpuranmar_stream) :: stream
      double precision :: x(2)
      type(gpuranmar_options) :: options
      integer(int64) :: i

      options = gpuranmar_options(seed=1802, position=2*first)
      if (gpuranmar_stream_initialise(stream, options) /= gpuranmar_ok) &
         error stop gpuranmar_last_error()
      count_points = 0
      do i = first + 1, last
         if (gpuranmar_stream_get(stream, x) /= gpuranmar_ok) error stop gpuranmar_last_error()
         if (x(1)**2 + x(2)**2 < 1) count_points = count_points + 1
      end do
      call gpuranmar_stream_close(stream)
   end function
end program
