# The interfaces for programs with other names than CORSIKA's: each folder here is a library
# libgpuranmar_FOLDER of its own, shared and static, that uses libgpuranmar.

# Those in C are all linked with Fortran's library. So they are left out where there is no Fortran
# compiler, and that in C++ where there is no C++ compiler.
families_in    = $(notdir $(patsubst %/,%,$(sort $(dir $(wildcard csrc/families/*/*.$1)))))
FAMILIES      := $(if $(FORTRAN),$(call families_in,c)) $(if $(HAS_CXX),$(call families_in,cc))
FAMILY_SHARED  = $(FAMILIES:%=$(BUILD)/libgpuranmar_%.so.$(VERSION))
# LAMMPS' class is only loaded in front of LAMMPS' library, and so has no static library.
FAMILY_STATIC  = $(patsubst %,$(BUILD)/libgpuranmar_%.a,$(filter-out lammps,$(FAMILIES)))
LIBRARIES     += $(FAMILY_SHARED) $(FAMILIES:%=$(BUILD)/libgpuranmar_%.so) $(FAMILY_STATIC)
INSTALL_STATIC += $(FAMILY_STATIC)
INSTALL_SHARED += $(FAMILY_SHARED)

$(BUILD)/shared/families/%.o: csrc/families/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -fPIC -J$(@D) -c -o $@ $<)
$(BUILD)/static/families/%.o: csrc/families/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -J$(@D) -c -o $@ $<)

$(BUILD)/shared/families/%.o: csrc/families/%.F90 csrc/families/lund_file.inc FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -fPIC -J$(@D) -c -o $@ $<)
$(BUILD)/static/families/%.o: csrc/families/%.F90 csrc/families/lund_file.inc FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -J$(@D) -c -o $@ $<)

$(BUILD)/shared/families/%.o: csrc/families/%.cc FORCE
	$(call run,CXX,$(CXX) $(FAMILY_CXXFLAGS) -fPIC -c -o $@ $<)
$(BUILD)/static/families/%.o: csrc/families/%.cc FORCE
	$(call run,CXX,$(CXX) $(FAMILY_CXXFLAGS) -c -o $@ $<)
FAMILY_CXXFLAGS = -std=c++11 $(CPPFLAGS) $(CFLAGS) -Wall -Wextra -fvisibility=hidden $(sanitize) \
                  $(INCLUDES) -MMD -MP

# A family's library finds libgpuranmar beside itself, wherever a program has found it. names.map
# exports Fortran's names by the underscore at their end, which other names of the objects lack.
FAMILY_EXPORTS = -Wl,--version-script=csrc/families/names.map -Wl,-z,defs
FAMILY_SONAME  = -Wl,-soname,$(patsubst %.$(VERSION),%.$(MAJOR),$(@F))
family_runtime = $(if $(wildcard csrc/families/$1/*.cc),-lstdc++ -lm,-lgfortran)
family_needs   = -L$(BUILD) -lgpuranmar $(family_runtime) -Wl,-rpath,'$$ORIGIN'
family_link    = $(CC) -shared $(ALL_LDFLAGS) $(FAMILY_SONAME) $(FAMILY_EXPORTS) -o $@ \
                 $(filter %.o,$^) $(family_needs)

# $(call family_objects,FOLDER,shared or static)
family_sources = $(wildcard $(addprefix csrc/families/$1/*.,c cc f90 F90))
family_objects = $(patsubst csrc/%,$(BUILD)/$2/%.o,$(basename $(family_sources)))

define family_rules
$(BUILD)/libgpuranmar_$1.so.$(VERSION): $(call family_objects,$1,shared) \
                                        $(BUILD)/libgpuranmar.so csrc/families/names.map FORCE
	$$(call run,LD,$$(call family_link,$1))
$(BUILD)/libgpuranmar_$1.so.$(MAJOR): $(BUILD)/libgpuranmar_$1.so.$(VERSION) FORCE
	$$(call run,LN,ln -sf $$(<F) $$@)
$(BUILD)/libgpuranmar_$1.so: $(BUILD)/libgpuranmar_$1.so.$(MAJOR) FORCE
	$$(call run,LN,ln -sf $$(<F) $$@)
$(BUILD)/libgpuranmar_$1.a: $(call family_objects,$1,static) FORCE
	$$(call run,AR,$$(ARCHIVE))
endef
$(foreach f,$(FAMILIES),$(eval $(call family_rules,$f)))
