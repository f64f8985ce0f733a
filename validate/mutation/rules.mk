# make mutate MUTATE_SECONDS=28800: a nightly run, which goes on where the last one has stopped.
MUTATION_NEEDS = $(addprefix $(BUILD)/,test_proof replay-reference replay-relinked replay-cernlib-relinked \
                 full_disk.so threads unload report_stop plugin-use plugin.so)
.PHONY: mutate
mutate: all $(MUTATION_NEEDS)
	@BUILD=$(BUILD) validate/mutate --seconds $(or $(MUTATE_SECONDS),28800)
