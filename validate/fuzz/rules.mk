# Fuzzing: mutated.py says of what. make fuzz FUZZ_SECONDS=3600 takes so many seconds.
validate/fuzz/fuzz.long.t: all

.PHONY: fuzz
fuzz: validate/fuzz/fuzz.long.t
	@BUILD=$(BUILD) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),3600) $<
