/* Runs those tests of the linear ones on single bits whose place in `repetitions`, from 1 on, is
 * not 0, as TestU01's bbattery_Repeat... do: bit 0, bits 0 and 1, ..., bits 0 and 47, bit 1, ... */
#ifndef BITS_H
#define BITS_H

#include <TestU01.h>

enum { BITS_TESTS = 48 * 49 / 2 };

void bits_repeat(unif01_Gen *generator, int repetitions[]);

#endif
