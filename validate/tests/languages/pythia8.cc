/* A class as PYTHIA 8's Rndm, in the layout of version 8.304 or, with -DPADDED, in that of versions
 * that have a struct RndmState. With -DLIBRARY this is its shared library; else a program that uses
 * it in an order that SEED draws, and prints what it gets. What the program does by itself is what
 * PYTHIA's header has inline. With a second argument PYTHIA draws a number that no other library
 * hears of. */
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "published.h"

namespace Pythia8
{

struct RndmEngine {
    virtual ~RndmEngine() = default;
    virtual double flat()
    {
        return 0.25;
    }
};

struct RndmState {
    int i97, j97, seed;
    long sequence;
    double u[97], c, cd, cm;
};

struct Rndm {
    bool initRndm = false;
#ifdef PADDED
    RndmState state = {};
#define STATE state.
#else
    int i97 = 0, j97 = 0, seed = 0;
    long sequence = 0;
    double u[97] = {}, c = 0, cd = 0, cm = 0;
#define STATE
#endif
    bool useExternalRndm = false;
    RndmEngine *engine = nullptr;

    void init(int seedIn);
    double flat();
    double local();
    double sum(int n);
    bool dumpState(std::string file);
    bool readState(std::string file);
};

} // namespace Pythia8

#ifdef LIBRARY
namespace Pythia8
{

void Rndm::init(int seedIn)
{
    published start;
    STATE seed = seedIn < 0 ? 19780503 : seedIn;
    published_start(&start, STATE seed, 48, &published_24);
    for (int i = 0; i < 97; ++i)
        STATE u[i] = start.u[i + 1];
    STATE c = published_24.c;
    STATE cd = published_24.cd;
    STATE cm = published_24.cm;
    STATE i97 = 96;
    STATE j97 = 32;
    STATE sequence = 0;
    initRndm = true;
}

double Rndm::local()
{
    if (useExternalRndm)
        return engine->flat();
    if (!initRndm)
        init(-1);
    ++STATE sequence;
    double x;
    do {
        published now;
        for (int i = 0; i < 97; ++i)
            now.u[i + 1] = STATE u[i];
        now.i97 = STATE i97 + 1;
        now.j97 = STATE j97 + 1;
        now.part = {STATE c, STATE cd, STATE cm};
        x = published_next(&now);
        for (int i = 0; i < 97; ++i)
            STATE u[i] = now.u[i + 1];
        STATE i97 = now.i97 - 1;
        STATE j97 = now.j97 - 1;
        STATE c = now.part.c;
    } while (x <= 0);
    return x;
}

double Rndm::flat()
{
    return local();
}

double Rndm::sum(int n)
{
    double all = 0;
    while (n-- > 0)
        all += flat();
    return all;
}

bool Rndm::dumpState(std::string file)
{
    std::ofstream out(file, std::ios::binary);
    out.write((char *)&STATE i97, 3 * sizeof(int));
    out.write((char *)&STATE sequence, sizeof(long) + 100 * sizeof(double));
    return bool(out);
}

bool Rndm::readState(std::string file)
{
    std::ifstream in(file, std::ios::binary);
    in.read((char *)&STATE i97, 3 * sizeof(int));
    in.read((char *)&STATE sequence, sizeof(long) + 100 * sizeof(double));
    return bool(in);
}

} // namespace Pythia8

#else

using Pythia8::Rndm;

/* Gives an object a state that makes a zero where its second number would be. */
static void near_zero(Rndm &r, std::mt19937 &choice)
{
    const double one_48 = 281474976710656., cd = published_24.cd;
    r.init(1);
    r.STATE c = 2 * cd;
    for (double &u : r.STATE u)
        u = double(choice()) * 65536 / one_48;
    r.STATE u[95] = r.STATE u[31]; /* and the arithmetic part is 0 then */
}

int main(int argc, char **argv)
{
    std::mt19937 choice(unsigned(std::atoi(argv[1])));
    Pythia8::RndmEngine quarter;
    Rndm all[4];
    std::string bytes;
    for (int n = 0; n < 3000; ++n) {
        Rndm &r = all[choice() % 4], &other = all[choice() % 4];
        switch (choice() % 16) {
        case 0:
            r.init(int(choice() % 900000000) - 1);
            break;
        case 1:
            near_zero(r, choice);
            break;
        case 2:
            r = other;
            break;
        case 3: {
            Rndm copy = r;
            std::printf("copy %a\n", copy.sum(int(choice() % 10)));
            break;
        }
        case 4:
            r.useExternalRndm = choice() % 4 == 0;
            r.engine = &quarter;
            break;
        case 5: {
            if (!r.initRndm)
                break;
            r.dumpState("state");
            std::ifstream in("state", std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(in), {});
            unsigned long hash = 5381;
            for (char byte : bytes)
                hash = 33 * hash + (unsigned char)byte;
            std::printf("state %zu %lx\n", bytes.size(), hash);
            break;
        }
        case 6:
            if (!bytes.empty())
                other.readState("state");
            break;
        case 7:
            std::printf("sum %a\n", r.sum(int(choice() % 3000)));
            break;
        case 8:
            if (argc > 2)
                std::printf("local %a\n", r.local());
            break;
        case 9:
            r = Rndm();
            break;
        default:
            std::printf("%a %ld\n", r.flat(), r.STATE sequence);
        }
    }
}
#endif
