# What the tests of seeds need built.

validate/seeds/command.t: $(COMMAND)
validate/seeds/production.t: $(COMMAND) $(if $(FORTRAN),$(BUILD)/shower-relinked)
validate/seeds/slurm.long.t: $(COMMAND) $(if $(FORTRAN),$(BUILD)/shower-relinked)
validate/seeds/start.t: $(COMMAND) $(if $(FORTRAN),$(BUILD)/replay-relinked)
