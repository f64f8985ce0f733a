/* The routine that draws, in families with one sequence. The row of families.def defines its name
 * (DRAW), the type of its numbers (NUMBER), the rule for zeros, and how it returns numbers:
 *
 *   ARRAY     SUBROUTINE RANMAR(RVEC,LEN): RVEC(1:LEN) becomes the next LEN numbers
 *   ONE       SUBROUTINE RANMAR(X): X becomes the next number
 *   FUNCTION  U = RANMAR(), with or without an argument
 *
 * A file that includes this one defines the routine that starts `engine`, which must be called
 * before. If the file defines STARTS_ITSELF, `engine` starts from IJ = 1802, KL = 9373 without that
 * call, as in CCP4's copy of the public text, and one line says so: other copies say that the call
 * is missing. */
#ifndef RANMAR_DRAW_ROUTINE_H
#define RANMAR_DRAW_ROUTINE_H

#include <stdio.h>

#include "family.h"

#if defined ARRAY
GPURANMAR_API void DRAW(NUMBER *rvec, const int32_t *len);
#elif defined ONE
GPURANMAR_API void DRAW(NUMBER *x);
#else
GPURANMAR_API NUMBER DRAW(void);
#endif
SAVE_OWN_ADDRESS(DRAW);

static gpuranmar_engine engine;

#ifdef STARTS_ITSELF
static void check_start_is_ours(void);

/* A program that has a start of its own, of which this library knows nothing, ends here. */
static void start_itself(void)
{
    ranmar_check_states(DRAW_TEXT);
    check_start_is_ours();
    gpuranmar_stop_on(
        gpuranmar_engine_start(&engine, DRAW_TEXT, FLAVOUR, ZERO, RANMAR_IJKL_DEFAULT, 0));
    fputs("gpuranmar: " DRAW_TEXT ": " START_TEXT
          " was not called before it: it starts from IJ = 1802, KL = 9373\n",
          stderr);
}
#else
static void start_itself(void)
{
    gpuranmar_stop(DRAW_TEXT ": " START_TEXT " must be called before it");
}
#endif

/* Refills the empty buffer. */
__attribute__((noinline)) static void refill(void)
{
    if (!gpuranmar_engine_is_started(&engine))
        start_itself();
    gpuranmar_engine_refill(&engine);
}

#if defined ARRAY
__attribute__((noinline)) static void draw_array(NUMBER *rvec, const int32_t *len)
{
    const size_t n = ranmar_length(DRAW_TEXT, &engine, rvec, sizeof *rvec, len);
    if (n > 0 && engine.left == 0)
        refill();
    FILL(&engine, rvec, n);
}

void DRAW(NUMBER *rvec, const int32_t *len)
{
    if (UNLIKELY(engine.left == 0 || *len != 1))
        draw_array(rvec, len);
    else
        *rvec = NEXT(&engine);
}
#elif defined ONE
void DRAW(NUMBER *x)
{
    if (UNLIKELY(engine.left == 0)) {
        if (engine.made == 0)
            gpuranmar_check_address(DRAW_TEXT, "X", x, sizeof *x, 1);
        refill();
    }
    *x = NEXT(&engine);
}
#else
NUMBER DRAW(void)
{
    if (UNLIKELY(engine.left == 0))
        refill();
    return NEXT(&engine);
}
#endif

#endif
