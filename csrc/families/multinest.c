/* MultiNest's module RandomNS: a sequence for each node. RANMARNS(IDG) counts the nodes from 0,
 * RMARINNS(IJ,KL,ID) from 1. README.md has the module that replaces the original's. As in the
 * original, RMARINNS changes seeds that are out of range, also in the caller's variables. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "family.h"

GPURANMAR_API void START(const int32_t *n, const int32_t *i);
GPURANMAR_API void killrandomns_(void);
GPURANMAR_API void rmarinns_(int32_t *ij, int32_t *kl, const int32_t *id);
GPURANMAR_API NUMBER DRAW(const int32_t *idg);
GPURANMAR_API NUMBER gaussian1ns_(const int32_t *idg);

static struct node {
    gpuranmar_engine engine;
    double second; /* of the two normal numbers that are made at a time */
    int has_second;
} * nodes;
static int count;

static struct node *node_of(const char *routine, int id)
{
    if (id < 1 || id > count)
        gpuranmar_stop("%s: node %d is not in 1..%d", routine, id, count);
    return &nodes[id - 1];
}

/* If the optional i is absent, the seeds come from the clock. */
void START(const int32_t *n, const int32_t *i)
{
    nodes = *n > 0 ? calloc((size_t)*n, sizeof *nodes) : NULL;
    if (!nodes)
        gpuranmar_stop(START_TEXT ": no memory for %d nodes", *n);
    count = *n;
    for (int32_t k = 1; k <= count; ++k) {
        const time_t now = time(NULL);
        int32_t kl = i ? 9373 : (int32_t)(now / 31328 % 30081);
        int32_t ij = i ? (*i + k - 1) * 45 : (int32_t)(now % 31328) + (k - 1) * 45;
        rmarinns_(&ij, &kl, &k);
    }
}

void killrandomns_(void)
{
    free(nodes);
    nodes = NULL;
    count = 0;
}

/* A seed in range may be a constant, in memory that is only for reading. */
static void into_range(int32_t *seed, int32_t most)
{
    if (*seed < 0)
        *seed += most;
    else if (*seed > most)
        *seed %= most;
}

void rmarinns_(int32_t *ij, int32_t *kl, const int32_t *id)
{
    into_range(ij, 31328);
    into_range(kl, 30081);
    gpuranmar_stop_on(gpuranmar_engine_start_pair(&node_of("RMARINNS", *id)->engine, "RMARINNS",
                                                  FLAVOUR, ZERO, *ij, *kl, 0));
}

NUMBER DRAW(const int32_t *idg)
{
    return NEXT(&node_of(DRAW_TEXT, *idg + 1)->engine);
}

NUMBER gaussian1ns_(const int32_t *idg)
{
    struct node *const node = node_of("GAUSSIAN1NS", *idg + 1);
    double v1, v2, r;
    node->has_second = !node->has_second;
    if (!node->has_second)
        return node->second;
    do {
        v1 = 2 * (double)NEXT(&node->engine) - 1;
        v2 = 2 * (double)NEXT(&node->engine) - 1;
        r = v1 * v1 + v2 * v2;
    } while (r >= 1);
    const double factor = sqrt(-2 * log(r) / r);
    node->second = v1 * factor;
    return v2 * factor;
}
