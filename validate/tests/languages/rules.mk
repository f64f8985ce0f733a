# Other languages: C++ and Python.

validate/tests/languages/python.t: $(LIBRARIES) $(if $(FORTRAN),$(BUILD)/reference-numbers)

# The C++ headers, alone and against CLHEP.
HAS_CLHEP := $(shell echo '$(hash)include <CLHEP/Random/JamesRandom.h>' | \
                     $(CXX) $(CPPFLAGS) -E -x c++ - 2>/dev/null >&2 && echo yes)
TESTS += $(call if_has,$(CXX),$(HAS_CXX),$(BUILD)/test_cplusplus $(BUILD)/test_generators)
TESTS += $(call if_has,CLHEP,$(HAS_CLHEP),$(BUILD)/test_clhep)
# test_generators opens libraries by their paths: the sanitizers' dlopen() ignores the run path.
CXX_TEST = $(CXX) -std=c++11 -O2 -Wall -Wextra $(CPPFLAGS) $(sanitize) -Icsrc/include \
           -Ivalidate/tests -DBUILD='"$(BUILD)"' -MMD -MP -o $@ $< $(RELINK) -ldl \
           $(and $(filter %clhep %states,$@),$(HAS_CLHEP),-lCLHEP)
$(BUILD)/test_cplusplus $(BUILD)/test_clhep $(BUILD)/test_generators: $(BUILD)/test_%: \
  validate/tests/languages/test_%.cc $(LIBRARIES) FORCE
	$(call run,CXX,$(CXX_TEST))
