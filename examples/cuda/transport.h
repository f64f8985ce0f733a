/* A small electromagnetic cascade in one dimension, on a GPU (transport.cu) and on the CPU
 * (transport_cpu.c): photons make pairs, electrons radiate photons and lose energy on their way,
 * and a particle that falls below the cut is deposited where it is.
 *
 * Both follow 32 particles at a time, in lockstep, and draw numbers in lane order, so that they
 * use the same numbers for the same things. The physics is in this file, in operations that every
 * IEEE machine does alike: no contracted multiply-adds (-fmad=false, -ffp-contract=off) and no
 * library's logarithm. Deposits are summed in integers, so that the order does not matter. */
#ifndef RANMAR_EXAMPLE_TRANSPORT_H
#define RANMAR_EXAMPLE_TRANSPORT_H

#include <stdint.h>

#ifdef __CUDACC__
#define TRANSPORT_FUNCTION static __host__ __device__ inline
#else
#define TRANSPORT_FUNCTION static inline
#endif

enum {
    TRANSPORT_LANES = 32,
    TRANSPORT_BINS = 40,         /* of one radiation length of depth; the last has all beyond */
    TRANSPORT_STACK = 512,       /* particles that may wait; more are deposited where they are */
    TRANSPORT_DISTANCE = 1 << 30 /* numbers that a warp has for itself */
};

/* A unit of deposited energy is 2^-20 MeV. */
#define TRANSPORT_UNIT 1048576.0

struct particle {
    double energy; /* MeV; 0: there is none */
    double depth;  /* radiation lengths */
    int photon;
};

/* What one step makes of a particle: the deposit, in units, in which bin, and whether it splits. */
struct outcome {
    int64_t deposit;
    int bin, splits;
};

/* ln u for u in (0,1), to about 10^-7: u = 2^e (1+f), and a series in s = f/(2+f). */
TRANSPORT_FUNCTION double transport_log(double u)
{
    union {
        double number;
        int64_t bits;
    } m = {u};
    const int exponent = (int)(m.bits >> 52) - 1023;
    m.bits = (m.bits & INT64_C(0x000fffffffffffff)) | INT64_C(0x3ff0000000000000);
    const double s = (m.number - 1.0) / (m.number + 1.0), q = s * s;
    const double series =
        2.0 * s * (1.0 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q / 11)))));
    return (double)exponent * 0.69314718055994531 + series;
}

TRANSPORT_FUNCTION int transport_bin(double depth)
{
    return depth < TRANSPORT_BINS - 1 ? (int)depth : TRANSPORT_BINS - 1;
}

TRANSPORT_FUNCTION void transport_deposit(struct particle *p, struct outcome *o, double energy)
{
    o->deposit += (int64_t)(energy * TRANSPORT_UNIT);
    p->energy -= energy;
}

/* Moves a particle by a free path, drawn with u in (0,1), and deposits what it loses. */
TRANSPORT_FUNCTION void transport_move(struct particle *p, double u, struct outcome *o)
{
    const double critical = 80.0, cut = 10.0; /* MeV: loss in a radiation length; least energy */
    const double path = -transport_log(u) * (p->photon ? 9.0 / 7.0 : 1.0);
    o->deposit = 0;
    p->depth += path;
    o->bin = transport_bin(p->depth);
    if (!p->photon) {
        const double loss = critical * path;
        transport_deposit(p, o, loss < p->energy ? loss : p->energy);
    }
    if (p->energy < cut)
        transport_deposit(p, o, p->energy);
    o->splits = p->energy > 0.0;
}

/* The particle that one which splits makes, drawn with v in (0,1). A photon becomes an electron
 * pair; an electron radiates, mostly photons of little energy. */
TRANSPORT_FUNCTION struct particle transport_split(struct particle *p, double v)
{
    struct particle made = *p;
    const double share = p->photon ? v : v * v;
    made.energy = p->energy * share;
    p->energy -= made.energy;
    made.photon = !p->photon;
    p->photon = 0;
    return made;
}

/* The photon that starts shower s. */
TRANSPORT_FUNCTION struct particle transport_primary(int64_t s)
{
    struct particle p;
    p.energy = 20000.0 + 1000.0 * (double)(s % 10);
    p.depth = 0.0;
    p.photon = 1;
    return p;
}

/* What `warps` warps do, on the cores of the CPU (OpenMP). Warp w follows showers w, w + warps, ...
 * with the numbers from w * TRANSPORT_DISTANCE on. Adds the deposits to the bins, and the steps to
 * the sum behind them. */
#ifdef __cplusplus
extern "C"
#endif
    void
    transport_on_cpu(int64_t seed, int64_t warps, int64_t showers,
                     int64_t sums[TRANSPORT_BINS + 1]);

#endif
