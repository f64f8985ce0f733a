! The module gpuranmar_cuda reaches the library: arguments arrive as they should, and errors come
! back.
program test_fortran
   use, intrinsic :: iso_c_binding, only: c_associated
   use gpuranmar, only: gpuranmar_double
   use gpuranmar_cuda
   implicit none
   type(c_ptr) :: generator
   integer(c_int64_t) :: position
   character(128) :: line
   logical :: good

   good = gpuranmar_cuda_create(generator, 99_c_int) == 1
   call gpuranmar_cuda_error(line, len(line, c_size_t))
   good = good .and. index(line, 'flavour = 99') > 0
   call report(1, good, 'a bad argument is named')

   if (gpuranmar_cuda_create(generator, gpuranmar_double) /= 0) then
      call gpuranmar_cuda_error(line, len(line, c_size_t))
      print '(a)', 'ok 2 - a generator # SKIP no GPU ('//trim(line)//')'
   else
      good = gpuranmar_cuda_set_seed(generator, 42_c_int64_t) == 0
      good = good .and. gpuranmar_cuda_set_position(generator, 2_c_int64_t**39) == 0
      good = good .and. gpuranmar_cuda_set_position(generator, 2_c_int64_t**40) == 0
      good = good .and. gpuranmar_cuda_generate_double(generator, c_null_ptr, 0_c_size_t) == 0
      good = good .and. gpuranmar_cuda_generate_single(generator, c_null_ptr, 0_c_size_t) == 1
      call gpuranmar_cuda_error(line, len(line, c_size_t))
      good = good .and. index(line, 'flavour double has no single numbers') > 0
      good = good .and. gpuranmar_cuda_position(generator, position) == 0
      good = good .and. gpuranmar_cuda_state_size == 8*98 .and. c_associated(jumps_of(generator))
      call report(2, good .and. position == 2_c_int64_t**40, 'a generator')
      call gpuranmar_cuda_destroy(generator)
   end if
   print '(a)', '1..2'

contains

   type(c_ptr) function jumps_of(generator)
      type(c_ptr), intent(in) :: generator
      if (gpuranmar_cuda_jumps(generator, jumps_of) /= 0) jumps_of = c_null_ptr
   end function

   include '../../validate/tests/report.inc'

end program
