# The numbers that each loop makes.

# What the linker replaces by a test's own.
WRAPPED_fill  = -Wl$(comma)--wrap=ranmar_instruction_sets
WRAPPED_proof = -Wl$(comma)--wrap=ranmar_non_temporal

validate/tests/numbers/proof.long.t: $(BUILD)/test_proof
validate/tests/numbers/machine-code.t: $(SHARED)
