! Calls routines that were cut out of a CORSIKA, as orders on standard input say, and prints what
! they return: numbers in hexadecimal, so that every bit counts. It is linked twice, with the
! routines as they were and with the routines that have hooks. verify.py gives the orders
! (orders.py), and build.py writes CUTCALL and CUTSET, which call the routines by number.
!
!   name text          prints the text
!   seed k i n m       RMMAQD( (/i,n,m/),k,'S' )
!   default            RMMAQD( ..,1,' ' ); prints what it returns
!   report k           RMMAQD( ..,k,'R' ); prints what it returns
!   write k            RMMAQD( ..,k,'RV' ); prints what it writes
!   read k lines       RMMAQD( ..,k,'SV' ), from the so many lines of standard input that follow
!   draw n k           RMMARD( ..,n,k ); prints the n numbers
!   call f n times     calls routine f so often, for a vector of n numbers if it fills one
!   sequence k         sets the variables from which some routines have their sequence to k
program driver
  implicit none
  integer, parameter :: states = 11
  double precision :: numbers(100000)
  integer :: iseed(3), i, k, lines, n, times, error
  character(len=200) :: order, line
  character(len=20) :: verb

  open(states, file='states', status='replace')
  do
    read(*, '(a)', iostat=error) order
    if (error /= 0) exit
    read(order, *) verb
    order = order(len_trim(verb) + 2:)
    select case (verb)
    case ('name')
      write(*, '(2a)') 'name ', trim(order)
    case ('seed')
      read(order, *) k, iseed
      call rmmaqd(iseed, k, 'S')
    case ('default')
      k = 1
      iseed = 1
      call rmmaqd(iseed, k, ' ')
      write(*, '(4i12)') k, iseed
    case ('report')
      read(order, *) k
      call rmmaqd(iseed, k, 'R')
      write(*, '(4i12)') k, iseed
    case ('write')
      read(order, *) k
      rewind(states)
      call rmmaqd(iseed, k, 'RV')
      endfile(states)
      rewind(states)
      do
        read(states, '(a)', iostat=error) line
        if (error /= 0) exit
        write(*, '(a)') trim(line)
      end do
      rewind(states)
    case ('read')
      read(order, *) k, lines
      rewind(states)
      do i = 1, lines
        read(*, '(a)') line
        write(states, '(a)') trim(line)
      end do
      rewind(states)
      call rmmaqd(iseed, k, 'SV')
    case ('draw')
      read(order, *) n, k
      call rmmard(numbers, n, k)
      write(*, '(4z17.16)') numbers(:n)
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
