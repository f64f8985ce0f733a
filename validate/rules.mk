# The tests, found by their places (docs/testing.md, "Adding a test"). A program test_NAME.c is
# linked statically, to reach functions that the shared library does not export, and with
# WRAPPED_NAME among the linker's flags. Scripts of validate/tests/fortran are skipped where there
# is no Fortran compiler, and programs that use cmocka where that is missing. Other scripts skip by
# themselves.

# How a program of one source is compiled, with OpenMP and without.
TEST_CC  = $(CC) $(TEST_CFLAGS) $(INCLUDES) -Ivalidate/tests $(ALL_LDFLAGS) -o $@ $<
PLAIN_CC = $(CC) $(ALL_CFLAGS) $(INCLUDES) -Ivalidate/tests $(ALL_LDFLAGS) -o $@ $<

SCRIPTS      := $(wildcard validate/*/*.t validate/tests/*/*.t)
where_fortran = $(call if_has,$(FC),$(FORTRAN),$(filter validate/tests/fortran/%,$1)) \
                $(filter-out validate/tests/fortran/%,$1)
TESTS      += $(call where_fortran,$(filter-out %.long.t,$(SCRIPTS)))
TESTS_LONG += $(call where_fortran,$(filter %.long.t,$(SCRIPTS)))

C_SOURCES   := $(wildcard validate/*/test_*.c validate/tests/*/test_*.c)
BY_CMOCKA   := $(shell grep -lE 'include (<cmocka|"tests).h' $(C_SOURCES))
C_TESTS      = $(patsubst %.c,$(BUILD)/%,$(notdir $(C_SOURCES)))
CMOCKA_TESTS = $(patsubst %.c,$(BUILD)/%,$(notdir $(BY_CMOCKA)))
$(call needs,$(CMOCKA_TESTS),cmocka,$(CMOCKA))
TESTS += $(call if_has,cmocka,$(CMOCKA),$(CMOCKA_TESTS)) $(filter-out $(CMOCKA_TESTS),$(C_TESTS))

vpath test_%.c $(sort $(dir $(C_SOURCES)))
$(CMOCKA_TESTS): USES_CMOCKA = -lcmocka
$(C_TESTS): $(BUILD)/test_%: test_%.c $(STATIC) FORCE
	$(call run,CC,$(TEST_CC) $(WRAPPED_$*) $(USES_CMOCKA) $(LINK_STATIC))

# A library for LD_PRELOAD, for tests of a full disk.
$(BUILD)/full_disk.so: validate/tests/full_disk.c FORCE
	$(call run,CC,$(CC) $(CFLAGS) $(WARNINGS) -fPIC -shared -o $@ $< -ldl)

include $(wildcard validate/*/rules.mk validate/tests/*/rules.mk)

# make coverage: the lines of the library and its commands that the tests run, from a build of its
# own. Its path is absolute, since counts go beside the objects, wherever a test runs. Left out are
# tests of other things (the build, packages, the patch tool, scripts, examples and TestU01's
# batteries), and test_synchronisation, which takes long.
NOT_COVERING = validate/tests/build/% validate/tests/patch/% validate/bench/% validate/testu01/% \
               %/machine-code.t %/shower.t cuda/% %/test_synchronisation \
               $(BUILD)/without/%
COVERING = $(filter-out $(NOT_COVERING),$(TESTS))
COVERAGE_BUILD = $(CURDIR)/build-coverage
COVERAGE = BUILD=$(COVERAGE_BUILD) CUDA=0 CFLAGS='-O1 -g' CC=$(COVERAGE_BUILD)/compilers/gcc \
           CXX=$(COVERAGE_BUILD)/compilers/g++ FC=$(COVERAGE_BUILD)/compilers/gfortran
.PHONY: coverage run-covering
$(call needs_programs,coverage,gcov gcovr python3 prove)
coverage:
	@scripts/coverage --prepare $(COVERAGE_BUILD)
	-@GCOV_ERROR_FILE=/dev/null $(MAKE) --no-print-directory $(COVERAGE) run-covering
	@scripts/coverage $(COVERAGE_BUILD)
run-covering: all $(COVERING)
	@$(PROVE) --exec '' $(COVERING)
