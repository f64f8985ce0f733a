# The CUDA back end: a plugin that the library loads when it needs it, the same as a static
# library, and the tests. CUDA=0 leaves them out; CUDA_ARCH=native builds for this machine's GPU only.

NVCC      ?= $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA      ?= $(if $(NVCC),1,0)
CUDA_ARCH ?= all-major

ifneq ($(filter-out 0,$(CUDA)),)
ifeq ($(SANITIZE),)

NVCCFLAGS = -std=c++17 -O3 -lineinfo -arch=$(CUDA_ARCH) -ccbin $(CXX) -Icsrc -Icuda \
            -Xcompiler=-fPIC,-fvisibility=hidden,-fopenmp,-Wall,-Wextra -MMD -MP

CUDA_SRC        = $(filter-out cuda/test_%.cu cuda/measure.cu,$(wildcard cuda/*.cu))
CUDA_OBJ        = $(CUDA_SRC:cuda/%.cu=$(BUILD)/cuda/%.o) $(BUILD)/shared/jump.o
CUDA_PLUGIN     = $(BUILD)/libgpuranmar_cuda.so
CUDA_STATIC     = $(BUILD)/libgpuranmar_cuda.a
CUDA_TESTS      = $(BUILD)/cuda/test_device $(BUILD)/cuda/test_delivery

all: $(CUDA_PLUGIN) $(CUDA_STATIC)
TESTS           += $(CUDA_TESTS) cuda/failures.t
INSTALL_HEADERS += csrc/ranmar.h cuda/gpuranmar_cuda.h cuda/gpuranmar_device.cuh
INSTALL_STATIC  += $(CUDA_STATIC)
INSTALL_SHARED  += $(CUDA_PLUGIN)

$(BUILD)/cuda/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -c -o $@ $<

# CUDA's own run-time library is linked in: the plugin needs nothing but a driver to work, and not
# even that to be loaded.
$(CUDA_PLUGIN): $(CUDA_OBJ) cuda/libgpuranmar_cuda.map
	$(NVCC) -shared -ccbin $(CXX) -cudart static -Xlinker --version-script=cuda/libgpuranmar_cuda.map \
	  -o $@ $(filter %.o,$^) -lgomp

$(CUDA_STATIC): $(CUDA_OBJ)
	rm -f $@
	ar rcs $@ $^

# Linked with both static libraries, as a program in one file would be; the plugin's entry is asked
# for by name, since the library finds it at run time only.
CUDA_LINK = $(NVCC) -ccbin $(CXX) -Xcompiler=-fno-lto -o $@ $(filter %.o %.a,$^)
CUDA_LIBS = $(if $(FORTRAN),-lgfortran) -lgomp -ldl -lm
$(CUDA_TESTS): $(BUILD)/cuda/%: $(BUILD)/cuda/%.o $(CUDA_STATIC) $(STATIC)
	$(CUDA_LINK) -Xlinker -u,ranmar_cuda_plugin $(CUDA_LIBS)

$(BUILD)/cuda/measure: $(BUILD)/cuda/measure.o $(CUDA_STATIC) $(STATIC)
	$(CUDA_LINK) $(CUDA_LIBS) -lcurand

# What cuda/failures.t runs: the same program without the plugin in it, alone, beside a plugin of
# another version, and beside one whose calls can be made to fail.
FAILING = $(BUILD)/cuda/failing
cuda/failures.t: $(FAILING)/missing/delivery $(FAILING)/old/delivery $(FAILING)/real/delivery \
                 $(FAILING)/old/libgpuranmar_cuda.so $(FAILING)/real/libgpuranmar_cuda.so

$(FAILING)/%/delivery: $(BUILD)/cuda/test_delivery.o $(STATIC)
	@mkdir -p $(@D)
	$(CUDA_LINK) $(CUDA_LIBS)

$(FAILING)/old/libgpuranmar_cuda.so: cuda/test_old_plugin.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Icsrc -fPIC -shared -o $@ $<

$(FAILING)/real/%.o: cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -DRANMAR_TEST_FAILURES -c -o $@ $<

$(FAILING)/real/libgpuranmar_cuda.so: $(CUDA_SRC:cuda/%.cu=$(FAILING)/real/%.o) $(BUILD)/shared/jump.o
	$(NVCC) -shared -ccbin $(CXX) -cudart static -o $@ $^ -lgomp

endif
else

all: cuda-left-out
.PHONY: cuda-left-out
cuda-left-out:
	@echo "No CUDA plugin: $(if $(NVCC),CUDA=$(CUDA),nvcc is not found)."
TESTS += cuda/no-cuda.t

endif
