#? libgpuranmar
#?
#?   make              builds the library, the OpenCL plugin where OpenCL's headers are found, and
#?                     the CUDA plugin where nvcc is found
#?   make check        runs the tests, in some minutes on two cores
#?   make check-long, check-gpu, check-machines, check-distributions
#?                     run the tests that take longer, those on a GPU, those on other processors and
#?                     compilers, and README's two commands on fresh Debian systems
#?   make check-abi    compares the libraries' ABI with that of the releases, by abidiff
#?   make demo         runs an air shower with the sequential generator and relinked
#?   make install      installs into $(DESTDIR)$(PREFIX); make uninstall removes what that installed.
#?                     Give both the settings that make was given: what others change is built again
#?   make deps         installs what all this needs, on a Debian system, as root
#?   make format       formats the sources; make format-check names those that are not formatted
#?   make dist         packs the sources of HEAD into libgpuranmar-VERSION.tar.gz
#?   make clean        removes the build folders; make distclean is the same
#?   make coverage, make fuzz   measure how good the tests are (docs/testing.md)
#?
#?   V=1                        shows whole commands
#?   CUDA=0, OPENCL=0           builds no CUDA plugin, no OpenCL plugin
#?   CUDA_ARCH=native           builds for this machine's GPU alone
#?   SANITIZE=address,undefined builds with sanitizers, into a build folder of its own
#?   CC FC CXX NVCC, CPPFLAGS CFLAGS FFLAGS LDFLAGS, BUILD=build
#?   PREFIX=/usr/local, BINDIR LIBDIR INCLUDEDIR DATADIR MANDIR below it, DESTDIR before all of them

ifneq ($(filter 3.% 4.0% 4.1%,$(MAKE_VERSION)),)
$(error GNU make $(MAKE_VERSION) is too old: 4.2 or later is needed)
endif

SHELL   = /bin/bash
unexport CDPATH # by which `cd examples/..` would find another folder
version_of = sed -n 's/^.define GPURANMAR_VERSION_[^ ]* //p' | paste -sd.
VERSION := $(shell cat csrc/include/gpuranmar.h | $(version_of))
MAJOR   := $(firstword $(subst ., ,$(VERSION)))

BUILD  ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
ifneq ($(words $(BUILD)),1)
$(error BUILD = '$(BUILD)': the build directory's name cannot have spaces in it)
endif

ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin FC),default)
FC = gfortran
endif
# Costs no instruction in a call or in a fill's loops (callgrind), and 70,000 once, at the start.
HARDENED  = $(if $(SANITIZE),,-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
CFLAGS   ?= -O3 -g $(HARDENED)
LDFLAGS  ?= -Wl,-z,relro,-z,now
FFLAGS   ?= -O2 -g
WARNINGS ?= -Wall -Wextra -Wconversion
# In a Turkish locale the capital of i is not I.
AWK       = LC_ALL=C awk
comma    := ,
quote    := '
hash     := \#

sanitizing  = -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all
sanitize    = $(if $(SANITIZE),$(sanitizing))
ifneq ($(SANITIZE),)
# Leaks are left to valgrind (valgrind.long.t): TestU01, PoCL and some tests free nothing at last.
export ASAN_OPTIONS ?= detect_leaks=0
endif
# Refills use no 512-bit registers (docs/speed.md), though CFLAGS may have -march=native or the like.
# fill/avx512.c allows them to its own loops.
narrow     := $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),-mno-avx512f)
ALL_CFLAGS  = -std=gnu11 $(CPPFLAGS) $(CFLAGS) $(narrow) $(WARNINGS) -fvisibility=hidden \
              $(sanitize) -MMD -MP
# Tests and benchmarks use OpenMP; the library does without it.
TEST_CFLAGS = $(ALL_CFLAGS) -fopenmp
ALL_FFLAGS  = $(FFLAGS) $(sanitize)
ALL_LDFLAGS = $(LDFLAGS) $(sanitize)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:

# A rule that makes a file has FORCE among its prerequisites and one line, $(call run,CC,command).
# That runs the command if another prerequisite is newer than the file, or if the command is not the
# one that made the file. FILE.cmd keeps the command that made FILE, with the compiler's version. So
# whatever changes a command (a flag, the compiler, a variable, a rule) rebuilds what the command
# makes, and no more.
# PWD, which compilers write into debugging information, is set to the same text in any folder.
# A comma in the command itself has to be $(comma), since make would split the call at it.
.PHONY: FORCE
run        = $(no_comma)$(if $(call up_to_date,$1,$2),,$(call perform,$1,$2))
no_comma   = $(if $3,$(error $@: a comma in a rule's command: write $$(comma)))
up_to_date = $(and $(if $(filter-out FORCE,$?),,yes),$(call same,$(made_$@),$(call record,$1,$2)))
record     = $2$(if $(VERSION_$1), [$(VERSION_$1)])
same       = $(and $(findstring x$1x,x$2x),$(findstring x$2x,x$1x))
escaped    = $(subst $(hash),$$(hash),$(subst $$,$$$$,$1))
quoted     = '$(subst $(quote),'\'',$1)'
compiles   = $(and $(filter CC CXX FC NVCC,$1),$(filter-out %/done,$<))
short      = $(shell printf "  %-5s %s" $1 $(if $(compiles),$<,$@))
silent     = $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
# If a compiler is missing, the error names it, whatever file needs it.
compiler   = $(if $(filter CC CXX FC NVCC LD,$1),$(firstword $2))
found      = type -P $1 >/dev/null || { echo "make: $1 is not found" >&2; exit 1; };
define perform
@mkdir -p $(@D)$(if $(silent),, && echo $(call quoted,$(if $(filter-out 0,$(V)),$2,$(short))))
@$(if $(compiler),$(call found,$(compiler))) export PWD=/proc/self/cwd; $2 && \
    echo $(call quoted,made_$@ := $(call escaped,$(call record,$1,$2))) >$@.cmd
endef

VERSION_CC := $(shell $(CC) --version 2>/dev/null | head -n 1)
VERSION_FC := $(shell $(FC) --version 2>/dev/null | head -n 1)

# What this machine has. $(call if_has,NAME,HAS,TESTS) gives TESTS if HAS is not empty, or else
# stand-ins, which say "built without NAME" and are skipped.
FORTRAN    := $(shell command -v $(firstword $(FC)))
HAS_CXX    := $(shell command -v $(firstword $(CXX)))
has_header  = $(shell printf '$(hash)include <%s>\n' $1 | \
                      $(CC) $(CPPFLAGS) -E -x c - -o /dev/null 2>/dev/null && echo yes)
CMOCKA     := $(call has_header,stdarg.h stddef.h setjmp.h stdint.h cmocka.h)
if_has      = $(if $2,$3,$(addprefix $(BUILD)/without/$1/,$3))

# $(call needs,GOALS,WHAT,HAS): if one of these goals is asked for and HAS is empty, make ends here
# with one line. $(call needs_programs,GOALS,PROGRAMS) is the same for each of the programs.
GOALS          = $(or $(MAKECMDGOALS),all)
NOT_BUILDING   = check-distributions help clean distclean deps dist format format-check uninstall print-%
needs          = $(if $3,,$(foreach goal,$(firstword $(filter $1,$(GOALS))), \
                   $(error make $(goal): $2 is not found)))
needs_programs = $(if $(filter $1,$(GOALS)), \
                   $(foreach p,$2,$(call needs,$1,$p,$(shell type -P $p))))
$(call needs_programs,$(filter-out $(NOT_BUILDING),$(GOALS)),$(firstword $(CC)) $(AR))
$(call needs_programs,check check-long check-gpu check-machines,prove)
$(call needs_programs,check check-long,python3 nm)

TESTS :=
TESTS_LONG :=

include $(addsuffix /rules.mk,csrc fortran opencl cuda examples scripts validate)

.PHONY: all library demo check check-long check-gpu check-abi check-distributions install uninstall clean distclean deps help

all: library
library: $(LIBRARIES)

ifeq ($(FORTRAN),)
.PHONY: fortran-left-out
all: fortran-left-out
fortran-left-out:
	@echo "No Fortran: $(FC) is not found. RMMAQD, RMMAQ, RM48IN, the module and their tests" \
	      "are left out."
endif

PROVE = BUILD=$(BUILD) CC='$(CC)' FC='$(FC)' CMOCKA_MESSAGE_OUTPUT=TAP \
        prove -j2 --timer --failures --comments
# The longest ones start first, so that none runs on alone at the end.
LONGEST = $(filter %/which.t %/patch.t %/test_opencl %/install.t %/test_proof,$(TESTS))
check: all $(TESTS)
	@$(PROVE) --exec '' $(LONGEST) $(filter-out $(LONGEST),$(TESTS))

# With SECONDS_LEFT=N, no test is started later than N seconds from now.
last_start = $(shell echo $$(($$(date +%s) + $(SECONDS_LEFT))))
in_time = $(if $(SECONDS_LEFT),validate/tests/unless-late $(last_start))
check-long: all $(TESTS_LONG)
	@$(PROVE) --exec '$(in_time)' $(TESTS_LONG)

check-gpu: all $(TESTS_GPU)
	@$(PROVE) --exec '' $(TESTS_GPU)

check-abi: validate/frozen/abi.t
	@$(PROVE) --exec '' $<

check-distributions:
	@scripts/check-distributions

$(BUILD)/without/%: FORCE
	@mkdir -p $(@D)
	@printf '#!/bin/sh\necho "1..0 # SKIP built without %s"\n' $(firstword $(subst /, ,$*)) >$@
	@chmod +x $@

deps:
	scripts/install-deps --check --demo --long --format

help:
	@sed -n 's/^#? \{0,1\}//p' Makefile

# Prints a variable's value, for other builds, as in make -s print-LIB_LIBS.
print-%:
	@echo $(call quoted,$($*))

clean distclean:
	rm -rf build build-*

-include $(shell find $(BUILD) -type f '(' -name '*.d' -o -name '*.cmd' ')' 2>/dev/null)
