! Calls routines that were cut out of a CORSIKA, as orders on standard input say, and writes what
! they return into the file 'output': numbers in hexadecimal, so that every bit counts. It is linked
! twice, with the routines as they were and with the routines that have hooks. verify.py gives the
! orders (driver_input.py), and build.py writes CUTCALL and CUTSET, which call the routines by number.
!
!   name text          writes the text
!   seed k i n m       RMMAQD( (/i,n,m/),k,'S' )
!   default            RMMAQD( ..,1,' ' ); writes what it returns
!   report k           RMMAQD( ..,k,'R' ); writes what it returns
!   write k            RMMAQD( ..,k,'RV' ), which writes to unit 11
!   read k file        RMMAQD( ..,k,'SV' ), which reads this file as unit 11
!   draw n k           RMMARD( ..,n,k ); writes the n numbers
!   call f n times     calls routine f that many times; n is the length of its vector, if any
!   sequence k         sets the variables from which some routines have their sequence to k
program driver
  implicit none
  double precision :: numbers(100000)
  integer :: iseed(3), i, k, n, times, error
  character(len=200) :: order, file
  character(len=20) :: verb

  open(11, file='output')
  do
    read(*, '(a)', iostat=error) order
    if (error /= 0) exit
    read(order, *) verb
    order = order(len_trim(verb) + 2:)
    select case (verb)
    case ('name')
      write(11, '(2a)') 'name ', trim(order)
    case ('seed')
      read(order, *) k, iseed
      call rmmaqd(iseed, k, 'S')
    case ('default')
      k = 1
      iseed = 1
      call rmmaqd(iseed, k, ' ')
      write(11, '(4i12)') k, iseed
    case ('report')
      read(order, *) k
      call rmmaqd(iseed, k, 'R')
      write(11, '(4i12)') k, iseed
    case ('write')
      read(order, *) k
      call rmmaqd(iseed, k, 'RV')
    case ('read')
      read(order, *) k, file
      close(11)
      open(11, file=file)
      call rmmaqd(iseed, k, 'SV')
      close(11)
      open(11, file='output', position='append')
    case ('draw')
      read(order, *) n, k
      call rmmard(numbers, n, k)
      write(11, '(4z17.16)') numbers(:n)
    case ('call')
      read(order, *) k, n, times
      do i = 1, times
        call cutcall(k, n)
      end do
    case ('sequence')
      read(order, *) k
      call cutset(k)
    end select
  end do
end program
