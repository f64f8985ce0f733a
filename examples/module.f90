! Module gpuranmar: a stream that the program opens, and whole arrays of numbers.
program module_example
   use gpuranmar
   implicit none
   type(gpuranmar_stream) :: stream
   double precision :: x(2000)
   integer :: i, n

   if (gpuranmar_stream_initialise(stream, gpuranmar_options(seed=1802)) /= gpuranmar_ok) &
      error stop gpuranmar_last_error()
   n = 0
   do i = 1, 1000
      if (gpuranmar_stream_fill(stream, x) /= gpuranmar_ok) error stop gpuranmar_last_error()
      n = n + count(x(1::2)**2 + x(2::2)**2 < 1)
   end do
   call gpuranmar_stream_close(stream)
   print '(i0,a)', n, ' of 1000000 points lie in the circle'
end program
