/* Runs the linear tests on single bits and XORs of two. Test k, counted from 1, runs if
 * repetitions[k] is not 0, as in TestU01's bbattery_Repeat...: bit 0, bits 0 and 1, ..., bit 1, ...
 */
#ifndef BITS_H
#define BITS_H

#include <TestU01.h>

enum { BITS_TESTS = 48 * 49 / 2 };

void bits_repeat(unif01_Gen *generator, int repetitions[]);

#endif
