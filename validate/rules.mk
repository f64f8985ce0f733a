# The tests of the core. C tests are linked statically, to reach functions that the shared library
# does not export.

# How a program of one source is compiled, with OpenMP and without.
TEST_CC  = $(CC) $(TEST_CFLAGS) $(INCLUDES) -Ivalidate/tests $(ALL_LDFLAGS) -o $@ $<
PLAIN_CC = $(CC) $(ALL_CFLAGS) $(INCLUDES) -Ivalidate/tests $(ALL_LDFLAGS) -o $@ $<

CMOCKA := $(call has_header,stdarg.h stddef.h setjmp.h stdint.h cmocka.h)

CORE_TESTS = definition fill jump stream makers memory registry settings engine verify bounds \
             report
CORE_BINARIES = $(CORE_TESTS:%=$(BUILD)/test_%)
TESTS += $(call if_has,cmocka,$(CMOCKA),$(CORE_BINARIES))
TESTS_LONG += validate/tests/valgrind.t validate/tests/tsan.t validate/tests/unoptimised.t

# As a program without OpenMP.
$(BUILD)/test_bounds: TEST_CFLAGS = $(ALL_CFLAGS)
# What the linker replaces by a test's own.
WRAPPED_fill   = -Wl$(comma)--wrap=ranmar_simd_levels
WRAPPED_memory = -Wl$(comma)--wrap=malloc$(comma)--wrap=calloc
WRAPPED_proof  = -Wl$(comma)--wrap=ranmar_goes_past_caches
$(CORE_BINARIES): $(BUILD)/test_%: validate/tests/test_%.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(WRAPPED_$*) -lcmocka $(LINK_STATIC))

# Proofs that every loop makes the definition's numbers: test_proof takes seconds, and proof.t, with
# all values, minutes.
TESTS += $(BUILD)/test_proof
TESTS_LONG += validate/tests/proof.t
validate/tests/proof.t: $(BUILD)/test_proof
$(BUILD)/test_proof: validate/tests/test_proof.c $(STATIC) FORCE
	$(call run,CC,$(PLAIN_CC) $(WRAPPED_proof) $(LINK_STATIC))

TESTS += validate/tests/threads.t validate/tests/layers.t validate/tests/portability.t
validate/tests/threads.t validate/tests/portability.t: $(BUILD)/threads $(BUILD)/unload
$(BUILD)/threads: validate/tests/threads.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(RELINK) -lpthread)
$(BUILD)/unload: validate/tests/unload.c FORCE
	$(call run,CC,$(TEST_CC) -ldl)

# What happens when one process has two of the libraries.
TESTS += $(call if_has,$(FC),$(FORTRAN),validate/tests/alone.t)
validate/tests/alone.t: $(addprefix $(BUILD)/replay-,relinked ilp64-relinked)

# A stand-in for the GPU's plugin, for the library to load.
TESTS += validate/tests/plugin.t
validate/tests/plugin.t: $(addprefix $(BUILD)/,plugin-use plugin.so full_disk.so gpuranmar)
$(BUILD)/plugin-use: validate/tests/plugin.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(RELINK))
PLUGIN_USES = $(addprefix $(BUILD)/shared/,fill/scalar.o definition/flavour.o)
$(BUILD)/plugin.so: validate/tests/plugin.c $(PLUGIN_USES) FORCE
	$(call run,CC,$(PLAIN_CC) -DPLUGIN -fvisibility=default -fPIC -shared $(PLUGIN_USES))

# The report of a run.
TESTS += $(call if_has,python3,$(PYTHON3),validate/tests/report.t)
validate/tests/report.t: $(BUILD)/report $(BUILD)/unload $(BUILD)/libgpuranmar.so
validate/tests/report.t: $(if $(FORTRAN),$(BUILD)/report_stop)
$(BUILD)/report: validate/tests/report.c $(STATIC) FORCE
	$(call run,CC,$(PLAIN_CC) -Wl$(comma)--wrap=exit $(LINK_STATIC))
$(BUILD)/report_stop: validate/tests/report_stop.f90 $(BUILD)/libgpuranmar.so FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra $(ALL_LDFLAGS) -o $@ $< $(RELINK))

# The build itself, what is installed, and the man pages.
TESTS += validate/tests/build.t validate/tests/install.t validate/tests/man.t
TESTS_LONG += validate/tests/packages.t

TESTS += validate/tests/quiet.t
validate/tests/quiet.t: $(SHARED)

# The library as Fortran programs see it.
TESTS += $(call if_has,$(FC),$(FORTRAN),validate/tests/module.t validate/tests/misuse.t)
validate/tests/man.t: $(MAN_PAGES)
validate/tests/install.t validate/tests/packages.t: all $(if $(FORTRAN),$(BUILD)/reference-numbers)
validate/tests/module.t: $(BUILD)/module-use $(BUILD)/reference-numbers
validate/tests/misuse.t: $(addprefix $(BUILD)/replay-,reference relinked cernlib-relinked) \
                         $(BUILD)/full_disk.so

$(BUILD)/full_disk.so: validate/tests/full_disk.c FORCE
	$(call run,CC,$(CC) $(CFLAGS) $(WARNINGS) -fPIC -shared -o $@ $< -ldl)

$(BUILD)/module-use: validate/tests/module.f90 $(BUILD)/libgpuranmar.so FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -I$(BUILD)/mod $(ALL_LDFLAGS) -o $@ $< $(RELINK))

# The Python package.
TESTS += $(call if_has,$(FC),$(FORTRAN),validate/tests/python.t)
validate/tests/python.t: $(LIBRARIES) $(BUILD)/reference-numbers

# The C++ headers, alone and against CLHEP.
HAS_CLHEP := $(shell echo '$(hash)include <CLHEP/Random/JamesRandom.h>' | \
                     $(CXX) $(CPPFLAGS) -E -x c++ - 2>/dev/null >&2 && echo yes)
TESTS += $(call if_has,$(CXX),$(HAS_CXX),$(BUILD)/test_cplusplus)
TESTS += $(call if_has,CLHEP,$(HAS_CLHEP),$(BUILD)/test_clhep)
CXX_TEST = $(CXX) -std=c++11 -O2 -Wall -Wextra $(CPPFLAGS) $(sanitize) -Icsrc/include -MMD -MP \
           -o $@ $< $(RELINK)
$(BUILD)/test_cplusplus: validate/tests/test_cplusplus.cc $(BUILD)/libgpuranmar.so FORCE
	$(call run,CXX,$(CXX_TEST))
$(BUILD)/test_clhep: validate/tests/test_clhep.cc $(BUILD)/libgpuranmar.so FORCE
	$(call run,CXX,$(CXX_TEST) -lCLHEP)

# Debian's LAMMPS, with the library's class RanMars in place of its own.
TESTS += $(call if_has,$(CXX),$(HAS_CXX),validate/tests/lammps.t)
validate/tests/lammps.t: $(BUILD)/lammps-calls $(BUILD)/libgpuranmar_lammps.so
$(BUILD)/lammps-calls: validate/tests/lammps.cc FORCE
	$(call run,CXX,$(CXX) -std=c++11 -O2 -Wall -Wextra $(CPPFLAGS) -MMD -MP -o $@ $< -ldl)

include $(wildcard validate/*/rules.mk)

# make coverage: the lines of the library and its commands that the tests run, from a build of its
# own. Its path is absolute, since counts go beside the objects, wherever a test runs. Left out are
# tests of other things (the build, packages, the patch tool, scripts, examples and TestU01's
# batteries), and test_synchronisation, which takes long.
NOT_COVERING = %/build.t %/install.t %/man.t %/layers.t %/measure.t %/portability.t %/quiet.t \
               %/compare-profiles.t %/shower.t %/examples.t cuda/% %/test_synchronisation \
               validate/tests/patch%.t validate/testu01/% $(BUILD)/without/%
COVERING = $(filter-out $(NOT_COVERING),$(TESTS))
COVERAGE_BUILD = $(CURDIR)/build-coverage
COVERAGE = BUILD=$(COVERAGE_BUILD) CUDA=0 CFLAGS='-O1 -g' CC=$(COVERAGE_BUILD)/compilers/gcc \
           CXX=$(COVERAGE_BUILD)/compilers/g++ FC=$(COVERAGE_BUILD)/compilers/gfortran
.PHONY: coverage run-covering
coverage:
	@scripts/coverage --prepare $(COVERAGE_BUILD)
	-@$(MAKE) --no-print-directory $(COVERAGE) run-covering
	@scripts/coverage $(COVERAGE_BUILD)
run-covering: all $(COVERING)
	@$(PROVE) --exec '' $(COVERING)
