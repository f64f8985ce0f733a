/* The energy of the two-dimensional Ising model, 16 x 16 spins at the critical temperature, by
 * Wolff's clusters (Phys. Rev. Lett. 62 (1989) 361): the simulation that showed a generator which
 * passed all tests of its day to be wrong (Ferrenberg, Landau, Wong, Phys. Rev. Lett. 69 (1992)
 * 3382): R250, x[n] = x[n-103] xor x[n-250]. Each cluster draws a number for its first spin and one
 * for each bond to a spin of the same sign.
 *
 *     build/wolff GENERATOR [CLUSTERS [SEED]]      GENERATOR: a flavour, or r250
 *
 * Prints the energy of a spin, its statistical error, and the deviation from the exact value. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "gpuranmar_engine.h"
#include "random.h"

enum { SIDE = 16, SPINS = SIDE * SIDE, BLOCKS = 1000, WARM_UP = 10000 };

/* Of the finite lattice, by Kaufman's partition function (Phys. Rev. 76 (1949) 1232; Ferdinand,
 * Fisher, Phys. Rev. 185 (1969) 832), -(1/N) d ln Z / dK at sinh 2K = 1. */
static const double EXACT = -1.453064852813477;

static gpuranmar_engine engine;

static struct {
    uint32_t word[250];
    int at;
} source;

static double r250(void)
{
    uint32_t *const oldest = source.word + source.at;
    *oldest ^= source.word[(source.at + 250 - 103) % 250];
    source.at = (source.at + 1) % 250;
    return *oldest * 0x1p-32;
}

static double draw(void)
{
    return gpuranmar_engine_is_started(&engine) ? gpuranmar_engine_next(&engine) : r250();
}

static signed char spin[SPINS];
static int neighbour[SPINS][4];

static void flip_a_cluster(double bond)
{
    int stack[SPINS], height = 0, site = (int)(draw() * SPINS);
    const signed char sign = spin[site];
    spin[site] = (signed char)-sign;
    stack[height++] = site;
    while (height > 0) {
        site = stack[--height];
        for (int k = 0; k < 4; ++k) {
            const int other = neighbour[site][k];
            if (spin[other] == sign && draw() < bond) {
                spin[other] = (signed char)-sign;
                stack[height++] = other;
            }
        }
    }
}

static double energy(void)
{
    int sum = 0;
    for (int i = 0; i < SPINS; ++i)
        sum -= spin[i] * (spin[neighbour[i][0]] + spin[neighbour[i][1]]);
    return (double)sum / SPINS;
}

int main(int argc, char **argv)
{
    const char *const name = argc > 1 ? argv[1] : "";
    const long clusters = argc > 2 ? atol(argv[2]) : 2000000;
    const int64_t seed = argc > 3 ? atoll(argv[3]) : 54217137;
    const int flavour = ranmar_flavour_code(name), is_r250 = strcmp(name, "r250") == 0;
    if (argc < 2 || argc > 4 || (!is_r250 && flavour < 0) || clusters < BLOCKS) {
        fputs("usage: wolff FLAVOUR|r250 [CLUSTERS [SEED]], 1000 clusters or more\n", stderr);
        return 2;
    }
    random_state = (uint64_t)seed;
    for (int i = 0; i < 250; ++i)
        source.word[i] = (uint32_t)(random_word() >> 32);
    if (!is_r250)
        gpuranmar_stop_on(gpuranmar_engine_start(&engine, "wolff", flavour, 0, seed, 0));

    for (int i = 0; i < SPINS; ++i) {
        const int x = i % SIDE, y = i / SIDE;
        spin[i] = 1;
        neighbour[i][0] = y * SIDE + (x + 1) % SIDE;
        neighbour[i][1] = (y + 1) % SIDE * SIDE + x;
        neighbour[i][2] = y * SIDE + (x + SIDE - 1) % SIDE;
        neighbour[i][3] = (y + SIDE - 1) % SIDE * SIDE + x;
    }
    const double coupling = log(1 + sqrt(2)) / 2, bond = 1 - exp(-2 * coupling);
    for (int i = 0; i < WARM_UP; ++i)
        flip_a_cluster(bond);
    double sum = 0, squares = 0;
    const long a_block = clusters / BLOCKS;
    for (int b = 0; b < BLOCKS; ++b) {
        double block = 0;
        for (long i = 0; i < a_block; ++i) {
            flip_a_cluster(bond);
            block += energy();
        }
        block /= (double)a_block;
        sum += block;
        squares += block * block;
    }
    const double mean = sum / BLOCKS, error = sqrt((squares / BLOCKS - mean * mean) / (BLOCKS - 1));
    printf("wolff %s %ld %" PRId64 ": energy %.6f +- %.6f, %.1f sigma from %.6f\n", name, clusters,
           seed, mean, error, (mean - EXACT) / error, EXACT);
    return 0;
}
