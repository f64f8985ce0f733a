# The command gpuranmar, linked statically. An executable gpuranmar-NAME in this folder becomes its
# subcommand NAME, which main.c lists.

COMMAND     = $(BUILD)/gpuranmar
COMMAND_SRC = $(sort $(wildcard csrc/command/*.c)) # the order of wildcard depends on the locale

all: $(COMMAND)
INSTALL_PROGRAMS += $(COMMAND)
INSTALL_TOOLS    += $(wildcard csrc/command/gpuranmar-*)
INSTALL_BESIDE   += $(wildcard csrc/command/*.py csrc/command/*lib/*.py) \
                    csrc/include/gpuranmar.h # which has the version

$(COMMAND): $(COMMAND_SRC:csrc/%.c=$(BUILD)/static/%.o) $(STATIC) FORCE
	$(call run,LD,$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LINK_STATIC))

# Its manual page, with what each subcommand says to --help. Where COMMAND is for another
# architecture, COMMAND_HERE is one that runs here.
COMMAND_HERE ?= $(COMMAND)
ABOUT_COMMAND = random numbers, seeds for a production, and what this machine offers
SUBCOMMANDS   = seeds_audit seeds_explain seeds_plan numbers device-check info
$(BUILD)/man/gpuranmar.1: $(COMMAND_HERE) docs/man/mdoc.awk docs/man/help.awk FORCE
	$(call run,GEN,$(call help_page,$<,$(ABOUT_COMMAND),$(SUBCOMMANDS)))
