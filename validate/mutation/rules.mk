# make mutate MUTATE_SECONDS=28800: a nightly run, which goes on where the last one has stopped.
.PHONY: mutate
mutate: all $(CORE_BINARIES) $(BUILD)/test_proof $(BUILD)/replay-reference
	@BUILD=$(BUILD) validate/mutate --seconds $(or $(MUTATE_SECONDS),28800)
