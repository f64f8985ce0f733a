/* CLHEP's HepJamesRandom, served by libgpuranmar. Numbers, seeds, states and files are the same, so
 * that either class goes on from what the other has saved.
 *
 *     gpuranmar::HepJamesRandom engine;
 *     CLHEP::HepRandom::setTheEngine(&engine);           // or G4Random::setTheEngine
 *
 * Link with -lgpuranmar and CLHEP. An engine of CLHEP's own class, `original`, takes over the
 * state of this engine and then reads, writes and prints. */
#ifndef GPURANMAR_CLHEP_HPP
#define GPURANMAR_CLHEP_HPP

#include <CLHEP/Random/JamesRandom.h>
#include <CLHEP/Random/engineIDulong.h>
#include <cstring>

#include "gpuranmar.hpp"

namespace gpuranmar
{

class HepJamesRandom : public CLHEP::HepRandomEngine
{
  public:
    HepJamesRandom()
    {
        adopt();
    }
    explicit HepJamesRandom(long seed) : original(seed)
    {
        adopt();
    }
    explicit HepJamesRandom(std::istream &is) : original(is)
    {
        adopt();
    }
    HepJamesRandom(int row, int column) : original(row, column)
    {
        adopt();
    }

    double flat() override
    {
        return double(gpuranmar_engine_next_single(&e));
    }
    void flatArray(const int size, double *vect) override
    {
        gpuranmar_engine_fill(&e, vect, size > 0 ? std::size_t(size) : 0);
    }
    operator double() override
    {
        return flat();
    }
    operator float() override
    {
        return float(flat());
    }
    /* CLHEP takes low bits from the word that is the oldest after the number is drawn. The words
     * of a state become the oldest in turn, so that one report of the state serves 97 numbers. */
    operator unsigned int() override
    {
        const double u = flat();
        std::uint64_t since = gpuranmar_engine_used(&e) - read_at;
        if (since > 96) {
            gpuranmar_engine_report(&e, &recent);
            read_at += since;
            since = 0;
        }
        const double oldest = recent.u[(std::uint64_t(recent.i97) + 96 - since) % 97];
        return unsigned(u * 4294967296.) | (unsigned(oldest * 4294967296.) >> 16 & 0xff);
    }

    void setSeed(long seed, int extra = 0) override
    {
        if (start(seed, theSeeds))
            return;
        original.setSeed(seed, extra);
        adopt();
    }
    void setSeeds(const long *seeds, int extra = 0) override
    {
        if (seeds && start(*seeds, seeds))
            return;
        original.setSeeds(seeds, extra);
        adopt();
    }
    void saveStatus(const char filename[] = "JamesRand.conf") const override
    {
        report().saveStatus(filename);
    }
    void restoreStatus(const char filename[] = "JamesRand.conf") override
    {
        report().restoreStatus(filename);
        adopt();
    }
    void showStatus() const override
    {
        report().showStatus();
    }
    std::string name() const override
    {
        return original.name();
    }
    static std::string engineName()
    {
        return CLHEP::HepJamesRandom::engineName();
    }
    static std::string beginTag()
    {
        return CLHEP::HepJamesRandom::beginTag();
    }

    std::ostream &put(std::ostream &os) const override
    {
        return report().put(os);
    }
    std::istream &get(std::istream &is) override
    {
        report().get(is);
        adopt();
        return is;
    }
    std::istream &getState(std::istream &is) override
    {
        report().getState(is);
        adopt();
        return is;
    }
    /* The engine's code, then u[97], c, cd and cm as two longs each, then j97, counted from 0. */
    std::vector<unsigned long> put() const override
    {
        gpuranmar_engine_state s;
        gpuranmar_engine_report(&e, &s);
        std::vector<unsigned long> v = {CLHEP::engineIDulong<CLHEP::HepJamesRandom>()};
        v.reserve(CLHEP::HepJamesRandom::VECTOR_STATE_SIZE);
        for (double u : s.u)
            append(v, u);
        for (double c : {s.c, 7654321 / 16777216., 16777213 / 16777216.})
            append(v, c);
        v.push_back(static_cast<unsigned long>(s.j97 - 1));
        return v;
    }
    bool get(const std::vector<unsigned long> &v) override
    {
        return original.get(v) && adopt(v);
    }
    bool getState(const std::vector<unsigned long> &v) override
    {
        return original.getState(v) && adopt(v);
    }

  private:
    struct clhep_engine : CLHEP::HepJamesRandom {
        using CLHEP::HepJamesRandom::HepJamesRandom;
        clhep_engine() = default;
        void set_seeds(long seed, const long *seeds)
        {
            theSeed = seed;
            theSeeds = seeds;
        }
    };

    /* Starts from a seed as CLHEP does, by the library, whose seeding takes a fortieth of the time.
     * Returns false for a seed outside CLHEP's range, which is left to CLHEP. */
    bool start(long seed, const long *seeds)
    {
        if (seed < 0 || seed > 900000000)
            return false;
        check(gpuranmar_engine_start(&e, "HepJamesRandom", GPURANMAR_SINGLE, GPURANMAR_ZERO_REDRAW,
                                     seed, 0));
        original.set_seeds(seed, seeds);
        is_started();
        return true;
    }
    void is_started()
    {
        read_at = gpuranmar_engine_used(&e) - 97; /* so that the next unsigned int reads `recent` */
        theSeed = original.getSeed();
        theSeeds = original.getSeeds();
    }

    /* A double is two longs of 32 bits each, the higher ones first, as CLHEP::DoubConv has it. */
    static void append(std::vector<unsigned long> &v, double x)
    {
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        v.push_back(static_cast<unsigned long>(bits >> 32));
        v.push_back(static_cast<unsigned long>(bits & 0xffffffff));
    }
    static double number(const std::vector<unsigned long> &v, std::size_t i)
    {
        const std::uint64_t bits = std::uint64_t(v[1 + 2 * i]) << 32 | v[2 + 2 * i];
        double x;
        std::memcpy(&x, &bits, sizeof x);
        return x;
    }

    /* Goes on from the state of CLHEP's engine, or from one of its vectors. */
    bool adopt()
    {
        return adopt(original.put());
    }
    bool adopt(const std::vector<unsigned long> &v)
    {
        gpuranmar_engine_state s;
        for (std::size_t i = 0; i < 97; ++i)
            s.u[i] = number(v, i);
        s.c = number(v, 97);
        s.j97 = int(v[201]) + 1;
        s.i97 = s.j97 > 33 ? s.j97 - 33 : s.j97 + 64;
        check(gpuranmar_engine_adopt(&e, "HepJamesRandom", GPURANMAR_SINGLE, GPURANMAR_ZERO_REDRAW,
                                     &s));
        is_started();
        return true;
    }

    /* Brings CLHEP's engine to the state of this one. */
    CLHEP::HepJamesRandom &report() const
    {
        original.get(put());
        return original;
    }

    mutable clhep_engine original;
    gpuranmar_engine e;
    gpuranmar_engine_state recent; /* the state when read_at numbers were used */
    std::uint64_t read_at;
};

} // namespace gpuranmar

#endif
