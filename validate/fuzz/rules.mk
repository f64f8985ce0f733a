# Fuzzing by clang's libFuzzer, with the address and undefined-behaviour sanitizers. Each target is
# a program of its own, compiled by clang together with the library's sources.

FUZZ_CC      ?= clang
FUZZ_TARGETS  = $(basename $(notdir $(wildcard validate/fuzz/*.c)))
FUZZ_PROGRAMS = $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)
FUZZ_FLAGS    = -std=gnu11 -g -O1 $(WARNINGS) -Wno-sign-conversion -Wno-unused-function \
                -fsanitize=address$(comma)undefined -fno-omit-frame-pointer \
                -fno-sanitize-recover=all
HAS_FUZZER   := $(shell echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
                $(FUZZ_CC) -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null && echo yes)

validate/fuzz/fuzz.long.t: $(if $(HAS_FUZZER),$(FUZZ_PROGRAMS) all)

$(BUILD)/fuzz/obj/%.o: csrc/%.c FORCE
	$(call run,CC,$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link $(INCLUDES) -MMD -MP -c -o $@ $<)
$(BUILD)/fuzz/library.a: $(CSRC:csrc/%.c=$(BUILD)/fuzz/obj/%.o) FORCE
	$(call run,AR,$(ARCHIVE))
$(FUZZ_PROGRAMS): $(BUILD)/fuzz/%: validate/fuzz/%.c $(BUILD)/fuzz/library.a FORCE
	$(call run,CC,$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer $(INCLUDES) -MMD -MP -o $@ $< \
	              $(BUILD)/fuzz/library.a -lpthread -ldl -lm)

# make fuzz FUZZ_SECONDS=3600: fuzzes all targets, so many seconds together.
.PHONY: fuzz
fuzz: validate/fuzz/fuzz.long.t
	@BUILD=$(BUILD) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),3600) $<
