# The command gpuranmar, linked statically. An executable gpuranmar-NAME in this folder becomes its
# subcommand NAME: see main.c.

COMMAND     = $(BUILD)/gpuranmar
COMMAND_SRC = $(wildcard csrc/command/*.c)

all: $(COMMAND)
INSTALL_PROGRAMS += $(COMMAND)
INSTALL_TOOLS    += $(wildcard csrc/command/gpuranmar-*)

$(COMMAND): $(COMMAND_SRC:csrc/%.c=$(BUILD)/static/%.o) $(STATIC) FORCE
	$(call run,LD,$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LIB_LIBS))
