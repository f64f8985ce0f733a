# Other languages: C++, Python, and the examples.

validate/tests/languages/examples.t: $(LIBRARIES)
validate/tests/languages/python.t: $(LIBRARIES) $(if $(FORTRAN),$(BUILD)/reference-numbers)

# The C++ headers, alone and against CLHEP.
HAS_CLHEP := $(shell echo '$(hash)include <CLHEP/Random/JamesRandom.h>' | \
                     $(CXX) $(CPPFLAGS) -E -x c++ - 2>/dev/null >&2 && echo yes)
TESTS += $(call if_has,$(CXX),$(HAS_CXX),$(BUILD)/test_cplusplus)
TESTS += $(call if_has,CLHEP,$(HAS_CLHEP),$(BUILD)/test_clhep)
CXX_TEST = $(CXX) -std=c++11 -O2 -Wall -Wextra $(CPPFLAGS) $(sanitize) -Icsrc/include -Ivalidate/tests -MMD \
           -MP -o $@ $< $(RELINK) $(if $(filter %clhep,$@),-lCLHEP)
$(BUILD)/test_cplusplus $(BUILD)/test_clhep: $(BUILD)/test_%: validate/tests/languages/test_%.cc \
                                             $(BUILD)/libgpuranmar.so FORCE
	$(call run,CXX,$(CXX_TEST))

# Debian's LAMMPS, with the library's class RanMars in place of its own.
validate/tests/languages/lammps.t: $(if $(HAS_CXX),$(BUILD)/lammps-calls \
                                                   $(BUILD)/libgpuranmar_lammps.so)
$(BUILD)/lammps-calls: validate/tests/languages/lammps.cc FORCE
	$(call run,CXX,$(CXX) -std=c++11 -O2 -Wall -Wextra $(CPPFLAGS) -MMD -MP -o $@ $< -ldl)

# PYTHIA 8's class in its two layouts, with the library's functions in place of its own.
validate/tests/languages/pythia8.t: $(if $(HAS_CXX),$(BUILD)/libgpuranmar_pythia8.so)
