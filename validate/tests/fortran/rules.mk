# The library as Fortran programs see it.

F = validate/tests/fortran
$(F)/rmmard.t: $(BUILD)/replay-reference $(BUILD)/replay-relinked
$(F)/ilp64.t: $(addprefix $(BUILD)/replay-,reference relinked) $(addprefix $(BUILD)/replay-ilp64-,relinked static)
$(addprefix $(F)/,families.t which.t which-followed.long.t): $(FAMILY_PROGRAMS) $(LIBRARIES)
$(F)/families-misuse.t: $(FAMILY_PROGRAMS) $(LIBRARIES) $(BUILD)/reference-numbers
$(F)/shower.t: $(addprefix $(BUILD)/shower-,reference relinked patched)
$(F)/misuse.t: $(FAMILY_PROGRAMS) $(addprefix $(BUILD)/replay-,reference relinked) \
               $(BUILD)/full_disk.so

$(F)/module.t: $(BUILD)/module-use
$(BUILD)/module-use: fortran/gpuranmar_device.f90 $(F)/module.f90 $(BUILD)/libgpuranmar.so FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -fwrapv -Wall -Wextra -J$(BUILD)/mod $(ALL_LDFLAGS) -o $@ \
	              $(filter %.f90,$^) $(RELINK))
