# What the plugins for CUDA and OpenCL share, apart from the library.
PLUGIN_OBJ = devices/device_error.o base/process.o $(addprefix definition/,flavour.o jump.o) \
  $(filter-out fill/thread_pool.o fill/parallel_fill.o, \
    $(patsubst csrc/%.c,%.o,$(wildcard csrc/fill/*.c)))
