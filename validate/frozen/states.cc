/* states write|read stream|engine|clhep: writes states of that kind into the current folder, or
 * reads them there, and prints the next numbers. Without CLHEP there is no kind clhep: exit
 * status 77. */
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "gpuranmar.hpp"
#if __has_include(<CLHEP/Random/JamesRandom.h>)
#include "gpuranmar_clhep.hpp"
#define HAS_CLHEP
#endif

static bool writes;
static std::string name;

static void print(double a, double b)
{
    std::printf("%s %a %a\n", name.c_str(), a, b);
}

template <int flavour, int zero> static void engine()
{
    gpuranmar::engine<flavour, zero> e(266892398, 890);
    name = "engine-" + std::to_string(flavour) + std::to_string(zero);
    if (writes) {
        e.split(3, 2);
        std::ofstream(name) << e;
    } else {
        std::ifstream(name) >> e;
        const double a = e.flat();
        print(a, e.flat());
    }
}

static void stream(int flavour, int instances)
{
    char saved[80] = ""; // as programs of 1.0.0 have it
    double u[2] = {};
    float f[2] = {};
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s = nullptr;
    name = "stream-" + std::to_string(flavour) + std::to_string(instances);
    o.flavour = writes ? flavour : GPURANMAR_DOUBLE;
    o.instances = writes ? instances : 1;
    o.prefetch = writes ? 1000 : 0;
    o.position = writes ? 1234567890123 : 0;
    gpuranmar_stream_initialise(&s, &o);
    if (writes) {
        gpuranmar_stream_save(s, saved, sizeof saved);
        std::ofstream(name).write(saved, sizeof saved);
    } else {
        std::ifstream(name).read(saved, sizeof saved);
        if (gpuranmar_stream_restore(s, saved, sizeof saved))
            std::puts(gpuranmar_last_error());
        else if (flavour == GPURANMAR_SINGLE)
            gpuranmar_stream_get_single(s, f, 2), print(f[0], f[1]);
        else
            gpuranmar_stream_get(s, u, 2), print(u[0], u[1]);
    }
    gpuranmar_stream_close(s);
}

int main(int argc, char **argv)
{
    writes = argc == 3 && !std::strcmp(argv[1], "write");
    const std::string kind = argv[argc - 1];
    if (kind == "engine") {
        engine<GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST>();
        engine<GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP>();
        engine<GPURANMAR_EXTENDED, GPURANMAR_ZERO_KEEP>();
        engine<GPURANMAR_KEYED, GPURANMAR_ZERO_SMALLEST>();
    } else if (kind == "stream") {
        for (int flavour :
             {GPURANMAR_DOUBLE, GPURANMAR_SINGLE, GPURANMAR_EXTENDED, GPURANMAR_KEYED})
            stream(flavour, 1), stream(flavour, 3);
    } else {
#ifdef HAS_CLHEP
        gpuranmar::HepJamesRandom e(54217137);
        name = "clhep";
        for (int i = 0; writes && i < 5; ++i)
            e.flat();
        if (writes) {
            e.saveStatus("clhep");
        } else {
            e.restoreStatus("clhep");
            const double a = e.flat();
            print(a, e.flat());
        }
#else
        return 77;
#endif
    }
}
