# Small programs as users have them; each writes 1000 numbers of the sequence with seed 1802. Source
# it in an empty directory: it writes stream.c, stream.cc, module.f90, plain.f and a CMakeLists.txt.

cat >stream.c <<'END'
#include <gpuranmar.h>
#include <stdio.h>
int main(void)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    double u[1000];
    options.seed = 1802;
    if (gpuranmar_stream_initialise(&stream, &options) || gpuranmar_stream_get(stream, u, 1000)) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        return 1;
    }
    gpuranmar_stream_close(stream);
    return fwrite(u, sizeof *u, 1000, stdout) != 1000;
}
END
cp stream.c stream.cc
cat >module.f90 <<'END'
program draw
   use gpuranmar
   type(gpuranmar_stream) :: stream
   double precision :: u(1000)
   if (gpuranmar_stream_initialise(stream, gpuranmar_options(seed=1802)) /= gpuranmar_ok) error stop
   if (gpuranmar_stream_fill(stream, u) /= gpuranmar_ok) error stop
   open (9, file='/dev/stdout', access='stream', form='unformatted', action='write')
   write (9) u
end program
END
cat >plain.f <<'END'
      PROGRAM PLAIN
      DOUBLE PRECISION U(1000)
      INTEGER ISEED(3)
      DATA ISEED/1802,0,0/
      CALL RMMAQD( ISEED,1,'S' )
      DO I = 1, 1000
        CALL RMMARD( U(I),1,1 )
      ENDDO
      OPEN(9,FILE='/dev/stdout',ACCESS='STREAM',FORM='UNFORMATTED',
     *     ACTION='WRITE')
      WRITE(9) U
      END
END
# FETCH=DIR builds the library from the sources in DIR; without it, an installed one is found.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.14)
project(user C CXX)
include(CheckLanguage)
check_language(Fortran)
if(FETCH)
    include(FetchContent)
    FetchContent_Declare(gpuranmar SOURCE_DIR ${FETCH})
    FetchContent_MakeAvailable(gpuranmar)
else()
    find_package(gpuranmar 1.0 QUIET COMPONENTS static nonsense)
    if(gpuranmar_FOUND OR NOT gpuranmar_static_FOUND)
        message(FATAL_ERROR "a component that is none was found, or static was not")
    endif()
    find_package(gpuranmar 1.0 REQUIRED COMPONENTS static OPTIONAL_COMPONENTS nonsense)
endif()
set(sources stream.c stream.cc)
if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    list(APPEND sources module.f90 plain.f)
endif()
if(CMAKE_Fortran_COMPILER)
    add_executable(plain.f-ilp64 plain.f)
    target_compile_options(plain.f-ilp64 PRIVATE -fdefault-integer-8)
    target_link_options(plain.f-ilp64 PRIVATE LINKER:--no-as-needed)
    target_link_libraries(plain.f-ilp64 gpuranmar::ilp64)
endif()
foreach(source ${sources})
    foreach(library gpuranmar static)
        add_executable(${source}-${library} ${source})
        target_link_libraries(${source}-${library} gpuranmar::${library})
    endforeach()
endforeach()
END

# cmake_builds WHAT CMAKE'S ARGUMENTS...: the programs build, and write what is in `expected`.
cmake_builds() {
    local what=$1 program
    shift
    rm -rf cmake
    { cmake -S . -B cmake "$@" && cmake --build cmake -j 2; } >log 2>&1
    report $? "$what: CMake builds with it"
    for program in cmake/*.c-* cmake/*.cc-* cmake/*.f*-*; do
        [ -x "$program" ] || continue
        "$program" >got 2>log && cmp got expected >>log 2>&1
        report $? "$what: $(basename "$program")"
    done
}
