/* RanMars, the class of random numbers in LAMMPS, for a lmp that is linked with LAMMPS' shared
 * library:
 *
 *     LD_PRELOAD=libgpuranmar_lammps.so lmp -in in.melt
 *
 * LAMMPS calls all methods of the class by their names, so that the loader leads the calls here. It
 * gives an object more room than the class below takes, and reads nothing in it. So this class need
 * not have LAMMPS' layout, and serves versions that differ in it.
 *
 * Some methods use other classes of LAMMPS: select_subset, and all that report an error. They are
 * left to a deputy, an object of LAMMPS' own RanMars that is brought to the state of this one. */
#include <cstddef>
#include <stdexcept>

#include "gpuranmar.hpp"
#include "preloaded.hpp"

namespace LAMMPS_NS
{

class LAMMPS;

namespace
{
/* An object of the class below has the address of this where LAMMPS' own objects have a pointer to
 * something else. */
const char ours = 0;
} // namespace

class GPURANMAR_API RanMars
{
  public:
    enum { SEED_MAX = 900000000 };
    RanMars(LAMMPS *lmp, int seed);
    virtual ~RanMars();
    double uniform();
    double gaussian();
    double gaussian(double mu, double sigma);
    double rayleigh(double sigma);
    double besselexp(double theta, double alpha, double v);
    void select_subset(std::int64_t target, int mine, int *mark, int *next);
    void get_state(double *state);
    void set_state(double *state);

  private:
    const char *owner; /* &ours, unless LAMMPS' own constructor has made the object */
    LAMMPS *lmp;
    gpuranmar::RanMars *numbers;
};

/* In every version of LAMMPS an object begins with a pointer to the methods and 19 other
 * pointers. */
static_assert(sizeof(RanMars) <= 20 * sizeof(void *), "LAMMPS must give an object enough room");

namespace
{

/* An object of LAMMPS' own class. */
class Deputy
{
  public:
    Deputy(LAMMPS *lmp, int seed)
    {
        original<void(void *, LAMMPS *, int)>("_ZN9LAMMPS_NS7RanMarsC1EPNS_6LAMMPSEi")(room, lmp,
                                                                                       seed);
    }
    ~Deputy()
    {
        original<void(void *)>("_ZN9LAMMPS_NS7RanMarsD1Ev")(room);
    }
    void *object()
    {
        return room;
    }

  private:
    alignas(std::max_align_t) unsigned char room[4096];
};

} // namespace

RanMars::RanMars(LAMMPS *l, int seed) : owner(&ours), lmp(l)
{
    if (seed <= 0 || seed > SEED_MAX)
        Deputy(lmp, seed); /* LAMMPS then reports the error and ends */
    try {
        numbers = new gpuranmar::RanMars(seed);
    } catch (const std::exception &bad) { /* for instance a bad setting GPURANMAR_* */
        gpuranmar_stop("%s", bad.what());
    }
}

RanMars::~RanMars()
{
    delete numbers;
}

/* LAMMPS' methods call this for a deputy too, which must draw from its own state. */
double RanMars::uniform()
{
    if (__builtin_expect(owner != &ours, 0))
        return original<double(void *)>("_ZN9LAMMPS_NS7RanMars7uniformEv")(this);
    return numbers->uniform();
}

double RanMars::gaussian()
{
    return numbers->gaussian();
}

double RanMars::gaussian(double mu, double sigma)
{
    return numbers->gaussian(mu, sigma);
}

double RanMars::rayleigh(double sigma)
{
    if (sigma <= 0)
        original<double(void *, double)>("_ZN9LAMMPS_NS7RanMars8rayleighEd")(
            Deputy(lmp, 1).object(), sigma);
    return numbers->rayleigh(sigma);
}

double RanMars::besselexp(double theta, double alpha, double v)
{
    if (theta < 0 || alpha < 0 || alpha > 1)
        original<double(void *, double, double, double)>("_ZN9LAMMPS_NS7RanMars9besselexpEddd")(
            Deputy(lmp, 1).object(), theta, alpha, v);
    return numbers->besselexp(theta, alpha, v);
}

void RanMars::select_subset(std::int64_t target, int mine, int *mark, int *next)
{
    double state[gpuranmar::RanMars::STATE];
    Deputy deputy(lmp, 1);
    get_state(state);
    original<void(void *, double *)>("_ZN9LAMMPS_NS7RanMars9set_stateEPd")(deputy.object(), state);
    original<void(void *, std::int64_t, int, int *, int *)>(
        "_ZN9LAMMPS_NS7RanMars13select_subsetEliPiS1_")(deputy.object(), target, mine, mark, next);
    original<void(void *, double *)>("_ZN9LAMMPS_NS7RanMars9get_stateEPd")(deputy.object(), state);
    set_state(state);
}

void RanMars::get_state(double *state)
{
    numbers->get_state(state);
}

void RanMars::set_state(double *state)
try {
    numbers->set_state(state);
} catch (const std::invalid_argument &bad) {
    gpuranmar_stop("%s", bad.what());
}

} // namespace LAMMPS_NS
