# The tests of the core. C tests are linked statically, to reach what the library does not export.

CORE_TESTS = definition fill jump stream registry settings cernlib
CORE_BINARIES = $(CORE_TESTS:%=$(BUILD)/test_%)
TESTS += $(CORE_BINARIES)
TESTS_LONG += validate/valgrind.t

$(CORE_BINARIES): $(BUILD)/test_%: validate/test_%.c validate/random.h $(STATIC)
	$(CC) $(ALL_CFLAGS) -Icsrc $(ALL_LDFLAGS) -o $@ $< $(STATIC) -lcmocka $(LIB_LIBS)

include $(wildcard validate/*/rules.mk)
