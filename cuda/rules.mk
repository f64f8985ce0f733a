# The CUDA back end: a plugin that the library loads when it needs it, the same as a static
# library, the tests and the examples.
#
#   CUDA=0             leaves them out
#   CUDA_ARCH=native   builds for this machine's GPU only, not for all that nvcc knows

NVCC      ?= $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA      ?= 1
CUDA_ARCH ?= all-major
WITH_CUDA := $(if $(or $(SANITIZE),$(filter 0,$(CUDA))),,$(NVCC))

ifneq ($(WITH_CUDA),)

NVCCFLAGS = -std=c++17 -O3 -lineinfo -arch=$(ARCH) -ccbin $(CXX) $(INCLUDES) -Icuda -Icuda/include -Icuda/tests -Ivalidate/tests \
            -Xcompiler=-fPIC,-fvisibility=hidden,-fopenmp,-Wall,-Wextra -MMD -MP
ARCH = $(CUDA_ARCH)
# The driver compiles the tests where they run: that saves much of the build.
$(BUILD)/cuda/tests/%.o $(BUILD)/cuda/failing/%.o $(BUILD)/examples/cuda/%.o: \
  ARCH = $(if $(filter all-major,$(CUDA_ARCH)),compute_75,$(CUDA_ARCH))

CUDA_SRC        = $(wildcard cuda/*.cu)
CUDA_OBJ        = $(CUDA_SRC:cuda/%.cu=$(BUILD)/cuda/%.o) $(addprefix $(BUILD)/shared/definition/,flavour.o jump.o)
CUDA_PLUGIN     = $(BUILD)/libgpuranmar_cuda.so
CUDA_STATIC     = $(BUILD)/libgpuranmar_cuda.a
CUDA_TESTS      = $(addprefix $(BUILD)/cuda/test_,device delivery failures)
CUDA_EXAMPLES   = $(addprefix $(BUILD)/examples/cuda/,transport pi)

all: $(CUDA_PLUGIN) $(CUDA_STATIC)
TESTS           += $(CUDA_TESTS) $(CUDA_EXAMPLES) cuda/tests/failures.t
INSTALL_HEADERS += csrc/include/gpuranmar_definition.h cuda/include/gpuranmar_cuda.h cuda/include/gpuranmar_device.cuh
INSTALL_STATIC  += $(CUDA_STATIC)
INSTALL_SHARED  += $(CUDA_PLUGIN)

.PHONY: check-gpu
check-gpu: all $(CUDA_TESTS) $(CUDA_EXAMPLES) cuda/tests/failures.t
	BUILD=$(BUILD) prove --timer --exec '' $(CUDA_TESTS) $(CUDA_EXAMPLES) cuda/tests/failures.t

# The Fortran interface: a module of interfaces alone, with no object.
ifneq ($(FORTRAN),)
CUDA_MODULE = $(BUILD)/mod/gpuranmar_cuda.mod
all: $(CUDA_MODULE)
INSTALL_HEADERS += $(CUDA_MODULE)
TESTS           += $(BUILD)/cuda/test_fortran
$(CUDA_MODULE): fortran/gpuranmar_cuda.f90
	@mkdir -p $(@D)
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -fsyntax-only -J$(@D) $<
$(BUILD)/cuda/test_fortran: cuda/tests/test_fortran.f90 $(CUDA_MODULE) $(CUDA_PLUGIN)
	$(FC) $(ALL_FFLAGS) -Wall -Wextra -I$(BUILD)/mod -o $@ $< $(CUDA_PLUGIN) -Wl,-rpath,'$$ORIGIN/..'
endif

$(BUILD)/cuda/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -c -o $@ $<

# CUDA's own run-time library is linked in: the plugin needs nothing but a driver to work, and not
# even that to be loaded.
CUDA_LINK_PLUGIN = $(NVCC) -shared -ccbin $(CXX) -cudart static -o $@ $(filter %.o,$^) -lgomp \
  -Xlinker -soname,libgpuranmar_cuda.so,--version-script=cuda/libgpuranmar_cuda.map
$(CUDA_PLUGIN): $(CUDA_OBJ) cuda/libgpuranmar_cuda.map
	$(CUDA_LINK_PLUGIN)

$(CUDA_STATIC): $(CUDA_OBJ)
	rm -f $@
	ar rcs $@ $^

# Linked with both static libraries, as a program in one file would be; the plugin's entry is asked
# for by name, since the library finds it at run time only.
CUDA_LINK = $(NVCC) -ccbin $(CXX) -Xcompiler=-fno-lto -o $@ $(filter %.o %.a,$^)
CUDA_LIBS = $(if $(FORTRAN),-lgfortran) -lgomp -ldl -lm
$(BUILD)/cuda/test_%: $(BUILD)/cuda/tests/test_%.o $(CUDA_STATIC) $(STATIC)
	$(CUDA_LINK) -Xlinker -u,ranmar_cuda_plugin $(CUDA_LIBS)

$(BUILD)/examples/cuda/%.o: examples/cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -c -o $@ $<

$(BUILD)/examples/cuda/%.o: examples/cuda/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -c -o $@ $<

$(BUILD)/cuda/%.o: cuda/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -c -o $@ $<

# The examples, which check themselves.
# As the CPU computes, without contracted multiply-adds.
$(addprefix $(BUILD)/examples/cuda/,transport.o pi.o): NVCCFLAGS += -fmad=false
$(BUILD)/examples/cuda/transport_cpu.o: CFLAGS += -ffp-contract=off
$(BUILD)/examples/cuda/transport: $(BUILD)/examples/cuda/transport_cpu.o
$(BUILD)/examples/cuda/pi: CUDA_LIBS += -lcurand
$(CUDA_EXAMPLES): %: %.o $(CUDA_STATIC) $(STATIC)
	$(CUDA_LINK) $(CUDA_LIBS)

$(BUILD)/cuda/compare: $(BUILD)/cuda/measure/compare.o $(BUILD)/cuda/measure/compare_cpu.o $(CUDA_STATIC) $(STATIC)
	$(CUDA_LINK) $(CUDA_LIBS)

$(BUILD)/cuda/measure-all: $(BUILD)/cuda/measure/measure.o $(CUDA_STATIC) $(STATIC)
	$(CUDA_LINK) -Xlinker -u,ranmar_cuda_plugin $(CUDA_LIBS) -lcurand

# The plugin with calls that can be made to fail.
$(BUILD)/cuda/failing/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -DRANMAR_TEST_FAILURES -c -o $@ $<
$(BUILD)/cuda/test_failures: $(addprefix $(BUILD)/cuda/failing/,$(notdir $(CUDA_SRC:.cu=.o)) tests/test_failures.o) \
                             $(addprefix $(BUILD)/shared/definition/,flavour.o jump.o) $(STATIC)
	$(CUDA_LINK) $(CUDA_LIBS)

# What cuda/tests/failures.t runs: test_delivery without the plugin in it, alone, beside a plugin of
# another version, and beside the right one.
FAILING = $(BUILD)/cuda/failing
cuda/tests/failures.t: $(addprefix $(FAILING)/,missing/delivery old/delivery real/delivery \
                                         old/libgpuranmar_cuda.so real/libgpuranmar_cuda.so)

$(FAILING)/%/delivery: $(BUILD)/cuda/tests/test_delivery.o $(STATIC)
	@mkdir -p $(@D)
	$(CUDA_LINK) $(CUDA_LIBS)

$(FAILING)/old/libgpuranmar_cuda.so: cuda/tests/test_old_plugin.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(INCLUDES) -fPIC -shared -o $@ $<

$(FAILING)/real/libgpuranmar_cuda.so: $(CUDA_PLUGIN)
	@mkdir -p $(@D)
	cp $< $@

else

# In place of what is not built.
.PHONY: cuda-left-out check-gpu
all: cuda-left-out
cuda-left-out:
	@echo "No CUDA plugin: $(if $(NVCC),$(if $(SANITIZE),SANITIZE=$(SANITIZE),CUDA=0),nvcc is not found)."
check-gpu:
	cuda/tests/no-cuda.t
TESTS += cuda/tests/no-cuda.t

endif
