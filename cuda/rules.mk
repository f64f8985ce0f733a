# The CUDA back end: a plugin that the library loads when it needs it, a static library of the same
# objects, and the tests of both.
#
#   CUDA=0             leaves all that out, but for the tests that play a GPU on the CPU
#   CUDA_ARCH=native   builds for this machine's GPU only, not for all major architectures

NVCC      ?= $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA      ?= 1
CUDA_ARCH ?= all-major
WITH_CUDA := $(if $(or $(SANITIZE),$(filter 0,$(CUDA))),,$(NVCC))

# The Fortran interface: a module of interfaces alone, with no object.
ifneq ($(FORTRAN),)
CUDA_MODULE  = $(BUILD)/mod/gpuranmar_cuda.mod
FORTRAN_TEST = $(FC) $(ALL_FFLAGS) -Wall -Wextra -Wno-function-elimination -I$(BUILD)/mod
$(CUDA_MODULE): fortran/gpuranmar_cuda.f90 $(BUILD)/mod/gpuranmar.mod FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -fsyntax-only -J$(@D) $< && touch $@)
endif

# The CPU plays a GPU (cuda/tests/emulated/): the plugin and its tests are built with that in place
# of CUDA. The digits of a distance are short and pieces small, so that few numbers take every path.
ifeq ($(SANITIZE),)
EMULATED       = $(BUILD)/cuda/emulated
EMULATED_TESTS = $(addprefix $(EMULATED)/test_,device calls processes synchronisation \
                   $(if $(CMOCKA),delivery) $(if $(FORTRAN),fortran))
TESTS         += $(call if_has,$(CXX),$(HAS_CXX),$(EMULATED_TESTS))
EMULATED_FLAGS = -std=c++17 $(CFLAGS) -Wall -Wextra -Wno-unknown-pragmas \
  -Icuda/tests/emulated $(INCLUDES) -Icuda -Icuda/include -Icuda/tests -Ivalidate/tests -MMD -MP \
  -DRANMAR_EMULATED -DRANMAR_TEST_FAILURES -DRANMAR_PIECE_BITS=14 -DRANMAR_SHORT_DIGIT_BITS=5 \
  -DRANMAR_LONG_DIGIT_BITS=4
$(EMULATED)/%.o: cuda/%.cu FORCE
	$(call run,CXX,$(CXX) $(EMULATED_FLAGS) -x c++ -c -o $@ $<)
$(EMULATED)/%.o: cuda/%.cpp FORCE
	$(call run,CXX,$(CXX) $(EMULATED_FLAGS) -c -o $@ $<)
EMULATED_OBJ = $(EMULATED)/tests/emulated/emulated.o \
               $(patsubst cuda/%.cu,$(EMULATED)/%.o,$(wildcard cuda/*.cu)) \
               $(EMULATED)/devices/device_error.o
EMULATED_CC = $(CC) $(ALL_CFLAGS) $(INCLUDES) -Ivalidate/tests -DRANMAR_EMULATED \
              -DRANMAR_TEST_FAILURES -DRANMAR_PIECE_BITS=14 -c -o $@ $<
$(EMULATED)/devices/%.o: csrc/devices/%.c FORCE
	$(call run,CC,$(EMULATED_CC))
$(EMULATED)/%.o: cuda/%.c FORCE
	$(call run,CC,$(EMULATED_CC))
EMULATED_LINK = $(CXX) -fno-lto -o $@ $(filter %.o %.a,$^) -Wl,-u,ranmar_cuda_plugin $(LIB_LIBS) $(USES_CMOCKA)
$(EMULATED_TESTS): $(EMULATED)/%: $(EMULATED)/tests/%.o $(EMULATED_OBJ) $(STATIC) FORCE
	$(call run,LD,$(EMULATED_LINK))
$(EMULATED)/tests/test_fortran.o: cuda/tests/test_fortran.f90 $(CUDA_MODULE) FORCE
	$(call run,FC,$(FORTRAN_TEST) -c -o $@ $<)
$(EMULATED)/test_delivery: USES_CMOCKA = -lcmocka
endif

$(BUILD)/cuda/%.o: cuda/%.c FORCE
	$(call run,CC,$(CC) $(TEST_CFLAGS) $(INCLUDES) -Ivalidate/tests -c -o $@ $<)

# Fortran's own way to a GPU: fortran/gpuranmar_device.f90 in OpenMP target and OpenACC regions, on
# the host unless OFFLOAD= names the compiler's options for a device, for instance
#   OFFLOAD='-foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80'
OFFLOAD ?= -foffload=disable
ifneq ($(FORTRAN),)
ifeq ($(SANITIZE),)
INSTALL_HEADERS += fortran/gpuranmar_device.f90
OFFLOADING = $(addprefix $(BUILD)/examples/cuda/fortran/,openmp/transport openacc/transport)
OFFLOADED = $(FC) $(ALL_FFLAGS) -cpp -Wall -Wextra -fwrapv -f$(notdir $(@D)) \
            $(OFFLOAD) -J$(@D) -o $@ $(filter %.f90,$^)
$(OFFLOADING): fortran/gpuranmar_device.f90 examples/cuda/transport.f90 FORCE
	$(call run,FC,$(OFFLOADED))
endif
endif

CUDA_TESTS = $(addprefix $(BUILD)/cuda/test_,device calls processes $(if $(CMOCKA),delivery) \
                                         $(if $(FORTRAN),fortran))
TESTS_GPU  = $(call if_has,nvcc,$(WITH_CUDA),$(CUDA_TESTS))
TESTS     += $(TESTS_GPU)

ifneq ($(WITH_CUDA),)

# Debugging information of the host's code is for abi.t.
NVCCFLAGS = -std=c++17 -O3 -g -lineinfo -arch=$(ARCH) -ccbin $(CXX) $(INCLUDES) -Icuda \
            -Icuda/include -Icuda/tests -Ivalidate/tests -MMD -MP \
            -Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra $(HARDENED:%=-Xcompiler=%)
ARCH = $(CUDA_ARCH)
# By default the tests have PTX alone, which the driver compiles where they run: a shorter build.
$(BUILD)/cuda/tests/%.o $(BUILD)/cuda/failing/%.o $(BUILD)/examples/cuda/%.o: \
  ARCH = $(if $(filter all-major,$(CUDA_ARCH)),compute_75,$(CUDA_ARCH))

CUDA_SRC        = $(sort $(wildcard cuda/*.cu))
CUDA_SHARED     = $(PLUGIN_OBJ:%=$(BUILD)/shared/%)
CUDA_OBJ        = $(CUDA_SRC:cuda/%.cu=$(BUILD)/cuda/%.o) $(CUDA_SHARED)
CUDA_PLUGIN     = $(BUILD)/libgpuranmar_cuda.so
CUDA_STATIC     = $(BUILD)/libgpuranmar_cuda.a
VERSION_NVCC   := $(shell $(NVCC) --version | tail -n 1)

all: $(CUDA_PLUGIN) $(CUDA_STATIC)
INSTALL_HEADERS += $(wildcard cuda/include/*)
INSTALL_STATIC  += $(CUDA_STATIC)
INSTALL_SHARED  += $(CUDA_PLUGIN)

ifneq ($(FORTRAN),)
all: $(CUDA_MODULE)
INSTALL_HEADERS += fortran/gpuranmar_cuda.f90 $(CUDA_MODULE)
BESIDE_PLUGIN = -Wl,-rpath,'$$ORIGIN/..'
$(BUILD)/cuda/test_fortran: cuda/tests/test_fortran.f90 $(CUDA_MODULE) $(CUDA_PLUGIN) FORCE
	$(call run,FC,$(FORTRAN_TEST) -o $@ $< $(CUDA_PLUGIN) $(BESIDE_PLUGIN))
endif

$(BUILD)/cuda/%.o: cuda/%.cu FORCE
	$(call run,NVCC,$(NVCC) $(NVCCFLAGS) -c -o $@ $<)

# CUDA's own run-time library is linked in: the plugin needs nothing but a driver to work, and not
# even that to be loaded.
CUDA_LINK_PLUGIN = $(NVCC) -shared -ccbin $(CXX) -cudart static -o $@ $(filter %.o,$^) \
  -Xlinker -z,relro,-z,now,-soname,libgpuranmar_cuda.so,--version-script=cuda/libgpuranmar_cuda.map
$(CUDA_PLUGIN): $(CUDA_OBJ) cuda/libgpuranmar_cuda.map FORCE
	$(call run,LD,$(CUDA_LINK_PLUGIN))

$(CUDA_STATIC): $(CUDA_OBJ) FORCE
	$(call run,AR,$(ARCHIVE))

# Tests are linked with both static libraries, as a static program would be. The plugin's entry
# is asked for by name, since the library looks for it only at run time.
CUDA_LINK = $(NVCC) -ccbin $(CXX) -Xcompiler=-fno-lto -o $@ $(filter %.o %.a,$^)
WITH_PLUGIN = -Xlinker -u,ranmar_cuda_plugin
CUDA_LIBS = $(if $(FORTRAN),-lgfortran) -ldl -lm
$(BUILD)/cuda/test_%: $(BUILD)/cuda/tests/test_%.o $(CUDA_STATIC) $(STATIC) FORCE
	$(call run,LD,$(CUDA_LINK) $(WITH_PLUGIN) $(CUDA_LIBS))

# What scripts/bench runs on a GPU: each file of cuda/measure is a program. measure-opencl is linked
# with the OpenCL plugin.
CUDA_MEASURING = $(patsubst cuda/measure/%.cu,$(BUILD)/cuda/measure-%, \
                   $(filter-out $(if $(LIBOPENCL),,%/opencl.cu),$(wildcard cuda/measure/*.cu)))
$(CUDA_MEASURING): $(BUILD)/cuda/measure-%: $(BUILD)/cuda/measure/%.o $(CUDA_STATIC) $(STATIC) FORCE
	$(call run,LD,$(CUDA_LINK) $(WITH_PLUGIN) $(CUDA_LIBS) -lcurand)
$(BUILD)/cuda/measure-opencl: $(OPENCL_PLUGIN)
$(BUILD)/cuda/measure-opencl: CUDA_LIBS += $(filter %.so,$^) $(LIBOPENCL) -Xlinker -rpath,'$$ORIGIN/..'
$(BUILD)/cuda/measure/opencl.o: NVCCFLAGS += -Iopencl/include -Iexamples/opencl \
  -DINCLUDES='"-I cuda/measure -I csrc/include -I opencl/include"'

# test_delivery has the plugin in it, with calls that can be made to fail.
$(BUILD)/cuda/failing/%.o: cuda/%.cu FORCE
	$(call run,NVCC,$(NVCC) $(NVCCFLAGS) -DRANMAR_TEST_FAILURES -c -o $@ $<)
$(BUILD)/cuda/failing/device_error.o: csrc/devices/device_error.c FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) -DRANMAR_TEST_FAILURES -c -o $@ $<)
$(BUILD)/cuda/tests/test_delivery.o: TEST_CFLAGS += -DRANMAR_TEST_FAILURES
$(BUILD)/cuda/test_delivery: CUDA_LIBS += -lcmocka
$(BUILD)/cuda/test_delivery: $(addprefix $(BUILD)/cuda/,tests/test_delivery.o \
                               $(CUDA_SRC:cuda/%.cu=failing/%.o) failing/device_error.o) \
                             $(filter-out %/device_error.o,$(CUDA_SHARED)) $(STATIC) FORCE
	$(call run,LD,$(CUDA_LINK) $(CUDA_LIBS))

else

# Removes the plugin of an earlier build, which the tests would load.
.PHONY: cuda-left-out
all: cuda-left-out
cuda-left-out:
	@rm -f $(BUILD)/libgpuranmar_cuda.*
	@echo "No CUDA plugin: $(if $(NVCC),$(or $(SANITIZE:%=SANITIZE=%),CUDA=0),nvcc is not found)."

endif
