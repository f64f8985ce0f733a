# make check-machines: other processors, compilers and C libraries, as far as they are installed,
# for instance by `apt-get install qemu-user gcc-aarch64-linux-gnu gfortran-aarch64-linux-gnu
# gcc-s390x-linux-gnu gfortran-s390x-linux-gnu musl-tools gcc-12-multilib clang flang-16`.
.PHONY: check-machines
check-machines: $(BUILD)/threads $(BUILD)/replay-reference $(LIBRARIES)
	@$(PROVE) --exec '' validate/machines/machines.t
