# The OpenCL plugin. It is built where OpenCL's headers are: libOpenCL itself is loaded at run time. OPENCL=0 leaves it out.
OPENCL      ?= 1
WITH_OPENCL := $(if $(filter 0,$(OPENCL)),,$(call has_header,CL/cl.h))

# The text of the kernels, after the files that they include, as one string.
KERNELS = csrc/include/gpuranmar_definition.h opencl/include/gpuranmar_device.cl \
          csrc/definition/interleave.h opencl/kernels.cl
AS_STRING = (echo 'extern const char ranmar_kernels_text[]; const char ranmar_kernels_text[] ='; \
            sed -e '/^ *.include/d' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/    "&\\n"/' $(KERNELS); \
            echo ';') >$@
$(BUILD)/kernels.c: $(KERNELS) FORCE
	$(call run,GEN,$(AS_STRING))

OPENCL_SRC = $(sort $(wildcard opencl/*.c))
OPENCL_OBJ = $(OPENCL_SRC:%.c=%.o) kernels.o $(PLUGIN_OBJ)
OPENCL_INCLUDES = $(INCLUDES) -Iopencl/include
$(BUILD)/shared/opencl/%.o: opencl/%.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(OPENCL_INCLUDES) -fPIC -c -o $@ $<)
$(BUILD)/shared/kernels.o: $(BUILD)/kernels.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) -fPIC -c -o $@ $<)

ifneq ($(WITH_OPENCL),)
OPENCL_PLUGIN   = $(BUILD)/libgpuranmar_opencl.so
LIBRARIES      += $(OPENCL_PLUGIN)
INSTALL_SHARED += $(OPENCL_PLUGIN)
INSTALL_PC     += $(BUILD)/install/gpuranmar-opencl.pc
INSTALL_HEADERS += $(wildcard opencl/include/*)
OPENCL_EXPORTS  = -Wl,-soname,$(@F),--version-script=opencl/libgpuranmar_opencl.map,-z,defs
$(OPENCL_PLUGIN): $(OPENCL_OBJ:%=$(BUILD)/shared/%) opencl/libgpuranmar_opencl.map FORCE
	$(call run,LD,$(CC) -shared $(ALL_LDFLAGS) $(OPENCL_EXPORTS) -o $@ $(filter %.o,$^) -lpthread -ldl)
else
# Removes the plugin of an earlier build, which the tests would load.
.PHONY: opencl-left-out
all: opencl-left-out
opencl-left-out:
	@rm -f $(BUILD)/libgpuranmar_opencl.*
endif

# The tests have the plugin in them, with calls that can be made to fail, and with small pieces.
OPENCL_TEST = $(patsubst opencl/tests/%.c,$(BUILD)/opencl/%,$(wildcard opencl/tests/test_*.c))
TESTS      += $(call if_has,OpenCL,$(WITH_OPENCL),$(call if_has,cmocka,$(CMOCKA),$(OPENCL_TEST)))
TESTS      += opencl/tests/registers.t
TESTS_LONG += opencl/tests/oclgrind.long.t
opencl/tests/oclgrind.long.t: $(if $(WITH_OPENCL),$(if $(CMOCKA),$(OPENCL_TEST)))
OPENCL_TESTED = $(OPENCL_SRC:%.c=$(BUILD)/%.o) $(BUILD)/opencl/device_error.o
OPENCL_TEST_CC = $(CC) $(TEST_CFLAGS) $(OPENCL_INCLUDES) -Iopencl -Ivalidate/tests -DRANMAR_TEST_FAILURES \
                 -DRANMAR_PIECE_BITS=14 -c -o $@ $<
$(BUILD)/opencl/%.o: opencl/%.c FORCE
	$(call run,CC,$(OPENCL_TEST_CC))
$(BUILD)/opencl/device_error.o: csrc/devices/device_error.c FORCE
	$(call run,CC,$(OPENCL_TEST_CC))
$(OPENCL_TEST): $(BUILD)/opencl/%: $(BUILD)/opencl/tests/%.o $(OPENCL_TESTED) \
                $(BUILD)/shared/kernels.o $(STATIC) FORCE
	$(call run,LD,$(CC) -fopenmp $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) -lcmocka $(LINK_STATIC) \
	              -Wl$(comma)-u$(comma)ranmar_opencl_plugin)

TESTS += $(call if_has,OpenCL,$(WITH_OPENCL),opencl/tests/devices.t)
opencl/tests/devices.t: $(BUILD)/libgpuranmar.so $(OPENCL_PLUGIN) $(BUILD)/gpuranmar

# cuda/measure-opencl is linked with libOpenCL by the name with a version: Debian installs that file
# with every driver, and the name without a version only for development.
LIBOPENCL  := $(if $(WITH_OPENCL),$(shell echo 'int main(void) { return 0; }' | \
                    $(CC) -x c - -l:libOpenCL.so.1 -o /dev/null 2>/dev/null && echo -l:libOpenCL.so.1))
