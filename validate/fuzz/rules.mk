# Fuzzing: mutated.py says what is fuzzed. make fuzz FUZZ_SECONDS=3600 takes that many seconds.
validate/fuzz/fuzz.long.t: all

.PHONY: fuzz
fuzz: validate/fuzz/fuzz.long.t
	@BUILD=$(BUILD) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),3600) $<
