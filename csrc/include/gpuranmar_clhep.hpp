/* CLHEP's HepJamesRandom, served by libgpuranmar. Numbers, seeds, states and files are the same, so
 * that either class goes on from what the other has saved.
 *
 *     gpuranmar::HepJamesRandom engine;
 *     CLHEP::HepRandom::setTheEngine(&engine);           // or G4Random::setTheEngine
 *
 * Link with -lgpuranmar and CLHEP. Reading, writing and printing is left to an engine of CLHEP's
 * own class, `original`, which is brought to the state of this one before. */
#ifndef GPURANMAR_CLHEP_HPP
#define GPURANMAR_CLHEP_HPP

#include <CLHEP/Random/DoubConv.hh>
#include <CLHEP/Random/JamesRandom.h>

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
        return gpuranmar_engine_next_single(&e);
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
    operator unsigned int() override
    {
        const unsigned bits = report();
        adopt();
        return bits;
    }

    void setSeed(long seed, int extra = 0) override
    {
        original.setSeed(seed, extra);
        adopt();
    }
    void setSeeds(const long *seeds, int extra = 0) override
    {
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
    std::vector<unsigned long> put() const override
    {
        return report().put();
    }
    bool get(const std::vector<unsigned long> &v) override
    {
        return report().get(v) && adopt();
    }
    bool getState(const std::vector<unsigned long> &v) override
    {
        return report().getState(v) && adopt();
    }

  private:
    /* Element i of the state in CLHEP's vector: the engine's code, then u[97], c, cd and cm as two
     * longs each, then j97, counted from 0. */
    static double number(const std::vector<unsigned long> &v, int i)
    {
        return CLHEP::DoubConv::longs2double({v[1 + 2 * i], v[2 + 2 * i]});
    }
    static void set(std::vector<unsigned long> &v, int i, double x)
    {
        const std::vector<unsigned long> pair = CLHEP::DoubConv::dto2longs(x);
        v[1 + 2 * i] = pair[0];
        v[2 + 2 * i] = pair[1];
    }

    /* Goes on from the state of CLHEP's engine. */
    bool adopt()
    {
        const std::vector<unsigned long> v = original.put();
        gpuranmar_engine_state s;
        for (int i = 0; i < 97; ++i)
            s.u[i] = number(v, i);
        s.c = number(v, 97);
        s.j97 = int(v[201]) + 1;
        s.i97 = s.j97 > 33 ? s.j97 - 33 : s.j97 + 64;
        check(gpuranmar_engine_adopt(&e, "HepJamesRandom", GPURANMAR_SINGLE, GPURANMAR_ZERO_REDRAW,
                                     &s));
        theSeed = original.getSeed();
        return true;
    }

    /* Brings CLHEP's engine to the state of this one. */
    CLHEP::HepJamesRandom &report() const
    {
        std::vector<unsigned long> v = original.put();
        gpuranmar_engine_state s;
        gpuranmar_engine_report(&e, &s);
        for (int i = 0; i < 97; ++i)
            set(v, i, s.u[i]);
        set(v, 97, s.c);
        v[201] = static_cast<unsigned long>(s.j97 - 1);
        original.get(v);
        return original;
    }

    mutable CLHEP::HepJamesRandom original;
    gpuranmar_engine e;
};

} // namespace gpuranmar

#endif
