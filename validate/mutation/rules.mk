# make mutate MUTATE_SECONDS=28800 tests mutants for so long, from where the last run stopped.
MUTATION_NEEDS = $(addprefix $(BUILD)/,test_proof full_disk.so threads unload report_stop alone \
                 plugin-use plugin.so $(addprefix replay-,reference relinked cernlib-relinked))
.PHONY: mutate
mutate: all $(MUTATION_NEEDS)
	@BUILD=$(BUILD) validate/mutate --seconds $(or $(MUTATE_SECONDS),28800)

TESTS += validate/mutation/mutants.t
