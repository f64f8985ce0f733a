/* What interfaces to engines need of the library beside engines (gpuranmar_engine.h): calls that
 * end the program, because routines that Fortran calls cannot return an error. */
#include <stdarg.h>
#include <stdio.h>

#include "fortran/fortran.h"
#include "gpuranmar_engine.h"

void gpuranmar_stop_on(int error)
{
    ranmar_check(error);
}

void gpuranmar_stop(const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ranmar_stop_with(line);
}

void gpuranmar_check_seed(const char *routine, int ijkl, int most, int ntot, int ntot2)
{
    ranmar_check_seed(routine, ijkl, most, ntot, ntot2);
}

void gpuranmar_check_sequence(const char *routine, int id)
{
    ranmar_check(ranmar_sequence_check(routine, id));
}

void gpuranmar_check_chopt(const char *routine, const char chopt[12])
{
    ranmar_check_chopt(routine, chopt);
}
