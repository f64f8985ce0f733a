# The OpenCL plugin. It is built where OpenCL's headers are: libOpenCL itself is loaded at run time. OPENCL=0 leaves it out.
OPENCL      ?= 1
WITH_OPENCL := $(if $(filter 0,$(OPENCL)),,$(call has_header,CL/cl.h))

# The text of the kernels, after the files that they include, as one string.
KERNELS = csrc/include/gpuranmar_definition.h csrc/devices/include/gpuranmar_device.cl \
          csrc/definition/interleave.h csrc/devices/kernels.cl
AS_STRING = (echo 'extern const char ranmar_kernels_text[]; const char ranmar_kernels_text[] ='; \
            sed -e '/^ *.include/d' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/    "&\\n"/' $(KERNELS); \
            echo ';') >$@
$(BUILD)/kernels.c: $(KERNELS) FORCE
	$(call run,GEN,$(AS_STRING))

OPENCL_SRC = $(sort $(wildcard csrc/devices/*.c))
OPENCL_OBJ = $(OPENCL_SRC:csrc/%.c=%.o) kernels.o \
             $(addprefix definition/,flavour.o jump.o process.o)
$(BUILD)/shared/kernels.o: $(BUILD)/kernels.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) -fPIC -c -o $@ $<)

ifneq ($(WITH_OPENCL),)
OPENCL_PLUGIN   = $(BUILD)/libgpuranmar_opencl.so
LIBRARIES      += $(OPENCL_PLUGIN)
INSTALL_SHARED += $(OPENCL_PLUGIN)
INSTALL_PC     += $(BUILD)/install/gpuranmar-opencl.pc
INSTALL_HEADERS += $(wildcard csrc/devices/include/*)
OPENCL_EXPORTS  = -Wl,-soname,$(@F),--version-script=csrc/devices/libgpuranmar_opencl.map,-z,defs
$(OPENCL_PLUGIN): $(OPENCL_OBJ:%=$(BUILD)/shared/%) csrc/devices/libgpuranmar_opencl.map FORCE
	$(call run,LD,$(CC) -shared $(ALL_LDFLAGS) $(OPENCL_EXPORTS) -o $@ $(filter %.o,$^) -lpthread -ldl)
else
# Removes the plugin of an earlier build, which the tests would load.
.PHONY: opencl-left-out
all: opencl-left-out
opencl-left-out:
	@rm -f $(BUILD)/libgpuranmar_opencl.*
endif

# The tests have the plugin in them, with calls that can be made to fail, and with small pieces.
OPENCL_TEST = $(patsubst csrc/devices/tests/%.c,$(BUILD)/opencl/%,$(wildcard csrc/devices/tests/test_*.c))
TESTS      += $(call if_has,OpenCL,$(WITH_OPENCL),$(call if_has,cmocka,$(CMOCKA),$(OPENCL_TEST)))
TESTS      += csrc/devices/tests/registers.t
TESTS_LONG += csrc/devices/tests/oclgrind.long.t
csrc/devices/tests/oclgrind.long.t: $(if $(WITH_OPENCL),$(if $(CMOCKA),$(OPENCL_TEST)))
OPENCL_TESTED = $(patsubst csrc/devices/%.c,$(BUILD)/opencl/%.o,$(OPENCL_SRC))
OPENCL_TEST_CC = $(CC) $(TEST_CFLAGS) $(INCLUDES) -Ivalidate/tests -DRANMAR_TEST_FAILURES \
                 -DRANMAR_PIECE_BITS=14 -c -o $@ $<
$(BUILD)/opencl/%.o: csrc/devices/%.c FORCE
	$(call run,CC,$(OPENCL_TEST_CC))
$(OPENCL_TEST): $(BUILD)/opencl/%: $(BUILD)/opencl/tests/%.o $(OPENCL_TESTED) \
                $(BUILD)/shared/kernels.o $(STATIC) FORCE
	$(call run,LD,$(CC) -fopenmp $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) -lcmocka $(LINK_STATIC) \
	              -Wl$(comma)-u$(comma)ranmar_opencl_plugin)

TESTS += $(call if_has,OpenCL,$(WITH_OPENCL),csrc/devices/tests/devices.t)
csrc/devices/tests/devices.t: $(BUILD)/libgpuranmar.so $(OPENCL_PLUGIN) $(BUILD)/gpuranmar

# cuda/measure-opencl is linked with libOpenCL by the name with a version: Debian installs that file
# with every driver, and the name without a version only for development.
LIBOPENCL  := $(if $(WITH_OPENCL),$(shell echo 'int main(void) { return 0; }' | \
                    $(CC) -x c - -l:libOpenCL.so.1 -o /dev/null 2>/dev/null && echo -l:libOpenCL.so.1))
