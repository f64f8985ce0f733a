# Streams, engines, back ends, GPURANMAR_VERIFY and GPURANMAR_VERBOSE.

# What the linker replaces by a test's own.
FAULTS = malloc calloc pthread_create pthread_cond_wait pthread_atfork atexit open fdopen fclose stat realpath dlopen
WRAPPED_verify = -Wl$(comma)--wrap=ranmar_fill_scalar
WRAPPED_faults = $(FAULTS:%=-Wl$(comma)--wrap=%)
# These tests are built as programs without OpenMP.
$(BUILD)/test_bounds $(BUILD)/test_proof: TEST_CFLAGS = $(ALL_CFLAGS)
$(BUILD)/test_bounds: $(BUILD)/libgpuranmar.so # which it loads and unloads

validate/tests/streams/faults.long.t: $(addprefix $(BUILD)/,test_faults gpuranmar \
                                        $(if $(FORTRAN),replay-relinked)) \
                                      $(if $(HAS_CXX),$(filter %/test_delivery,$(EMULATED_TESTS)))
validate/tests/streams/valgrind.long.t: $(if $(CMOCKA),$(CMOCKA_TESTS))

# A stand-in for the GPU's plugin, for the library to load.
validate/tests/streams/foreign-code.t: $(BUILD)/gpuranmar
validate/tests/streams/plugin.t: $(addprefix $(BUILD)/,plugin-use plugin.so full_disk.so gpuranmar)
$(BUILD)/plugin-use: validate/tests/streams/plugin.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(RELINK))
PLUGIN_USES = $(addprefix $(BUILD)/shared/,fill/scalar.o definition/flavour.o)
$(BUILD)/plugin.so: validate/tests/streams/plugin.c $(PLUGIN_USES) FORCE
	$(call run,CC,$(PLAIN_CC) -DPLUGIN -fvisibility=default -fPIC -shared $(PLUGIN_USES))
