/* For libraries that are loaded before another one, by LD_PRELOAD, and take the place of some of
 * its functions. */
#ifndef RANMAR_PRELOADED_HPP
#define RANMAR_PRELOADED_HPP

#include <dlfcn.h>

#include <cstring>

#include "gpuranmar_engine.h"

/* The function of that name in the other library. */
template <class Function> Function *original(const char *name)
{
    void *const address = dlsym(RTLD_NEXT, name);
    if (!address)
        gpuranmar_stop("%s is not found: it must be in a shared library that this one is loaded "
                       "before, by LD_PRELOAD",
                       name);
    Function *function;
    static_assert(sizeof function == sizeof address, "POSIX has them so");
    std::memcpy(&function, &address, sizeof function);
    return function;
}

#endif
