# libgpuranmar: `make`, `make demo`, `make check`, `make install PREFIX= DESTDIR=`, `make clean`.
#
#   CUDA=0                     leave the CUDA plugin out even where there is nvcc
#   SANITIZE=address,undefined build with sanitizers (into a build directory of its own)

SHELL   = /bin/bash
VERSION = $(shell sed -n 's/^.define GPURANMAR_VERSION_[A-Z]* //p' csrc/include/gpuranmar.h | paste -sd.)
MAJOR   = $(firstword $(subst ., ,$(VERSION)))

BUILD  ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
PREFIX ?= /usr/local
INSTALL = install

ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin FC),default)
FC = gfortran
endif
CFLAGS   ?= -O3 -g
FFLAGS   ?= -O2 -g
WARNINGS ?= -Wall -Wextra -Wconversion
comma    := ,
CORES    := $(shell nproc)

ALL_CFLAGS  = -std=gnu11 $(CFLAGS) $(WARNINGS) -fopenmp -fvisibility=hidden $(sanitize) -MMD -MP
ALL_FFLAGS  = $(FFLAGS) $(sanitize)
ALL_LDFLAGS = $(LDFLAGS) $(sanitize)
sanitize    = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:

TESTS :=
TESTS_LONG :=
DEMO_DEPS :=

include csrc/rules.mk
include $(wildcard fortran/rules.mk cuda/rules.mk corsika-patch/rules.mk validate/rules.mk)

.PHONY: all library demo check check-long check-gpu crush install clean deps

all: library
library: $(LIBRARIES)

# The two commands for a fresh machine get what they need first.
deps:
	scripts/install-deps

demo: deps
	$(MAKE) -j$(CORES) $(DEMO_DEPS)
	BUILD=$(BUILD) scripts/demo

check: deps
	$(MAKE) -j$(CORES) check-only

.PHONY: check-only check-long-only
check-only: all $(TESTS)
	BUILD=$(BUILD) CMOCKA_MESSAGE_OUTPUT=TAP prove --timer --failures --comments --exec '' $(TESTS)

check-long: deps
	scripts/install-deps --testu01
	$(MAKE) -j$(CORES) check-long-only
check-long-only: all $(TESTS) $(TESTS_LONG)
	BUILD=$(BUILD) CMOCKA_MESSAGE_OUTPUT=TAP prove --timer --failures --comments --exec '' $(TESTS) $(TESTS_LONG)

install: all
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	$(INSTALL) -m 644 $(INSTALL_HEADERS) $(DESTDIR)$(PREFIX)/include
	$(INSTALL) -m 644 $(INSTALL_STATIC) $(DESTDIR)$(PREFIX)/lib
	$(INSTALL) -m 755 $(INSTALL_SHARED) $(DESTDIR)$(PREFIX)/lib
	ln -sf libgpuranmar.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libgpuranmar.so.$(MAJOR)
	ln -sf libgpuranmar.so.$(MAJOR) $(DESTDIR)$(PREFIX)/lib/libgpuranmar.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIB_LIBS)|' csrc/gpuranmar.pc.in \
	  > $(DESTDIR)$(PREFIX)/lib/pkgconfig/gpuranmar.pc

clean:
	rm -rf build build-*

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
