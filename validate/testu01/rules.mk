# TestU01's batteries on the flavours. Where TestU01 is not installed (scripts/install-deps
# --testu01), what needs it is left out, and its tests are skipped by name.

CRUSH_DRIVER  = $(BUILD)/crush-driver
CRUSH_SOURCES = $(addprefix validate/testu01/,driver.c bits.c source.c) csrc/command/arguments.c

# TestU01 and OpenMP's library are linked statically, so that the driver alone can be carried to
# the nodes of a cluster.
TESTU01_LIBS    = -Wl,-Bstatic -ltestu01 -ltestu01probdist -ltestu01mylib -lgmp -lgomp -Wl,-Bdynamic
TESTU01_VERSION = $(shell dpkg-query -W -f '$${Version}' libtestu01-0-dev 2>/dev/null || \
                          echo unknown)
CRUSH_COMMIT   := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
TESTU01        := $(call has_header,TestU01.h)

$(call needs,crush $(CRUSH_DRIVER),TestU01,$(TESTU01))
crush: $(CRUSH_DRIVER)
CRUSH_CFLAGS = -fno-lto $(filter-out -MMD -MP,$(TEST_CFLAGS)) $(INCLUDES) $(ALL_LDFLAGS)
CRUSH_LIBS   = $(TESTU01_LIBS) -Wl,--as-needed -lpthread -ldl -lm
$(CRUSH_DRIVER): $(CRUSH_SOURCES) $(addprefix validate/testu01/,source.h bits.h) \
                 csrc/command/command.h $(STATIC) FORCE
	$(call run,CC,$(CC) $(CRUSH_CFLAGS) -DTESTU01_VERSION='"$(TESTU01_VERSION)"' \
	              -DCOMMIT='"$(CRUSH_COMMIT)"' -o $@ $(CRUSH_SOURCES) $(STATIC) $(CRUSH_LIBS))

ifneq ($(TESTU01),)
$(addprefix validate/testu01/,crush.t lacunary.long.t smallcrush.long.t): $(CRUSH_DRIVER)
endif
