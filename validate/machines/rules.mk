# make check-machines: other processors, compilers and C libraries, as far as they are installed,
# for instance by `apt-get install qemu-user musl-tools clang flang-16
# gfortran-{aarch64,s390x,i686,powerpc,powerpc64le}-linux-gnu`.
.PHONY: check-machines
check-machines: $(addprefix $(BUILD)/,streams-here replay-reference)
	@$(PROVE) --exec '' validate/machines/run
$(BUILD)/streams-here: validate/machines/streams.c $(STATIC) FORCE
	$(call run,CC,$(PLAIN_CC) $(LINK_STATIC))
