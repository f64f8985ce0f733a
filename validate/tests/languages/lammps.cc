/* Calls the methods of LAMMPS' class RanMars by their names, in an order that the seed given draws,
 * and prints what they return: validate/tests/languages/lammps.t runs it with LAMMPS' own class and
 * with the library's.
 *
 *     lammps METHODS SEED          random calls
 *     lammps METHODS SEED save     ... and the state at the end, in hexadecimal
 *     lammps METHODS SEED restore  ... from that state on, from standard input
 *     lammps METHODS bad WHAT      one that LAMMPS refuses: seed, rayleigh or besselexp
 *
 * METHODS is LAMMPS' shared library. */
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

/* The method of that name, in the library that the loader finds first. */
template <class Function> static Function *method(const std::string &name)
{
    void *const address = dlsym(RTLD_DEFAULT, name.c_str());
    if (!address) {
        std::fprintf(stderr, "there is no %s\n", name.c_str());
        std::exit(1);
    }
    return reinterpret_cast<Function *>(address);
}
template <class Function> static Function *ranmars(const char *name)
{
    return method<Function>(std::string("_ZN9LAMMPS_NS7RanMars") + name);
}

static void show(double x)
{
    std::printf("%a\n", x);
}

/* select_subset wants two arrays, and is called by all ranks, of which there is one. */
static void subset(void *object, int target)
{
    enum { MOST = 3000 };
    static int mark[MOST], next[MOST];
    ranmars<void(void *, std::int64_t, int, int *, int *)>("13select_subsetEliPiS1_")(
        object, target, MOST, mark, next);
    for (int i = 0; i < MOST; ++i)
        std::putchar('0' + mark[i]);
    std::putchar('\n');
}

static void call(void *object, std::mt19937 &choice)
{
    const double scale = choice() % 1000 / 100.0 + 0.01, part = choice() % 101 / 100.0;
    switch (choice() % 12) {
    case 0:
        show(ranmars<double(void *, double, double)>("8gaussianEdd")(object, -scale, scale));
        break;
    case 1:
        show(ranmars<double(void *, double)>("8rayleighEd")(object, scale));
        break;
    case 2:
        show(ranmars<double(void *, double, double, double)>("9besselexpEddd")(
            object, scale, part, choice() % 2 ? scale : -scale));
        break;
    case 3:
        if (choice() % 20 == 0)
            subset(object, int(choice() % 3001));
        break;
    case 4:
        for (unsigned n = choice() % 2500; n > 0; --n)
            ranmars<double(void *)>("7uniformEv")(object);
        break;
    case 5:
    case 6:
    case 7:
        show(ranmars<double(void *)>("8gaussianEv")(object));
        break;
    default:
        show(ranmars<double(void *)>("7uniformEv")(object));
    }
}

static void refused(void *lmp, const std::string &what, void *object)
{
    if (what == "seed")
        ranmars<void(void *, void *, int)>("C1EPNS_6LAMMPSEi")(object, lmp, 900000001);
    else if (what == "rayleigh")
        ranmars<double(void *, double)>("8rayleighEd")(object, 0);
    else
        ranmars<double(void *, double, double, double)>("9besselexpEddd")(object, 1, 1.5, 0);
}

int main(int argc, char **argv)
{
    if (argc < 3 || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) {
        std::fprintf(stderr, "%s\n", argc < 3 ? "which library, which seed?" : dlerror());
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IONBF, 0); /* an error ends the program at once */
    const std::string seed = argv[2], task = argc > 3 ? argv[3] : "";
    const char *arguments[] = {"lammps", "-log", "none", "-screen", "none"};
    void *const lmp = method<void *(int, const char **, void **)>("lammps_open_no_mpi")(
        seed == "bad" ? 3 : 5, arguments, nullptr); /* errors are told on the screen */
    alignas(16) static unsigned char object[512];   /* more than enough */
    ranmars<void(void *, void *, int)>("C1EPNS_6LAMMPSEi")(
        object, lmp, seed == "bad" ? 1 : std::atoi(seed.c_str()));
    if (seed == "bad") {
        refused(lmp, task, object);
        return 0;
    }
    double state[103];
    if (task == "restore") {
        for (double &x : state)
            if (std::scanf("%la", &x) != 1)
                return 2;
        ranmars<void(void *, double *)>("9set_stateEPd")(object, state);
    }
    std::mt19937 choice(unsigned(std::atoi(seed.c_str())));
    for (int n = 0; n < 2000; ++n)
        call(object, choice);
    ranmars<void(void *, double *)>("9get_stateEPd")(object, state);
    if (task == "save")
        for (double x : state)
            show(x);
    ranmars<void(void *)>("D1Ev")(object);
    method<void(void *)>("lammps_close")(lmp);
    return 0;
}
