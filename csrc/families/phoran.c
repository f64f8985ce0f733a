/* PHORIN, and U = PHORAN(IDUM), a FUNCTION of type NUMBER: 24 bits, a zero is redrawn. The program
 * puts two seeds, 0..31327 and 0..30080, into the first two words of COMMON /PHSEED/, from which
 * PHORIN reads them. The rest of the block is not updated. */
#include "draw_routine.h"

GPURANMAR_API void START(void);

/* COMMON /PHSEED/: ISEED(2), I97, J97, URAN(97), CRAN, CDRAN, CMRAN. The linker makes it one with
 * the program's. */
GPURANMAR_API struct {
    int32_t iseed[2], i97, j97;
    NUMBER words[100];
} phseed_ __attribute__((common));

void START(void)
{
    CHECK_OURS(START_TEXT);
    for (int i = 0; i < 2; ++i) {
        const int most = i == 0 ? 31327 : 30080;
        if (phseed_.iseed[i] < 0 || phseed_.iseed[i] > most)
            gpuranmar_stop("PHORIN: ISEED(%d) = %d of COMMON /PHSEED/ is not in 0..%d", i + 1,
                           phseed_.iseed[i], most);
    }
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&engine, START_TEXT, FLAVOUR, ZERO,
                                                  phseed_.iseed[0], phseed_.iseed[1], 0));
}
