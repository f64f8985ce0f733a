# Fuzzing by clang's libFuzzer, with the address and undefined-behaviour sanitizers. clang compiles
# the target together with the library's sources.

FUZZ_CC      ?= clang
FUZZ_FLAGS    = -std=gnu11 -g -O1 $(WARNINGS) -Wno-sign-conversion -Wno-unused-function \
                -fsanitize=address$(comma)undefined -fno-omit-frame-pointer \
                -fno-sanitize-recover=all
HAS_FUZZER   := $(shell echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
                $(FUZZ_CC) -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null && echo yes)

validate/fuzz/fuzz.long.t: $(if $(HAS_FUZZER),$(BUILD)/fuzz/cards all)

$(BUILD)/fuzz/obj/%.o: csrc/%.c FORCE
	$(call run,CC,$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link $(INCLUDES) -MMD -MP -c -o $@ $<)
$(BUILD)/fuzz/library.a: $(CSRC:csrc/%.c=$(BUILD)/fuzz/obj/%.o) FORCE
	$(call run,AR,$(ARCHIVE))
$(BUILD)/fuzz/cards: validate/fuzz/cards.c $(BUILD)/fuzz/library.a FORCE
	$(call run,CC,$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer $(INCLUDES) -MMD -MP -o $@ $< \
	              $(BUILD)/fuzz/library.a -lpthread -ldl -lm)

# make fuzz FUZZ_SECONDS=3600: fuzzes all targets, so many seconds together.
.PHONY: fuzz
fuzz: validate/fuzz/fuzz.long.t
	@BUILD=$(BUILD) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),3600) $<
