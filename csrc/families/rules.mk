# The interfaces for programs with other names than CORSIKA's: each folder here is a library
# libgpuranmar_FOLDER of its own, shared and static, that uses libgpuranmar.

FAMILIES      := $(if $(FORTRAN),$(notdir $(patsubst %/,%,$(wildcard csrc/families/*/))))
FAMILY_SHARED  = $(FAMILIES:%=$(BUILD)/libgpuranmar_%.so.$(VERSION))
FAMILY_STATIC  = $(FAMILIES:%=$(BUILD)/libgpuranmar_%.a)
LIBRARIES     += $(FAMILY_SHARED) $(FAMILIES:%=$(BUILD)/libgpuranmar_%.so) $(FAMILY_STATIC)
INSTALL_STATIC += $(FAMILY_STATIC)
INSTALL_SHARED += $(FAMILY_SHARED)

$(BUILD)/shared/families/%.o: csrc/families/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -Wall -Wextra -fPIC -J$(@D) -c -o $@ $<)
$(BUILD)/static/families/%.o: csrc/families/%.f90 FORCE
	$(call run,FC,$(FC) $(ALL_FFLAGS) -J$(@D) -c -o $@ $<)

# A family's library finds libgpuranmar beside itself, wherever a program has found it. Fortran's
# names end in an underscore, those that the objects share among themselves do not.
FAMILY_EXPORTS = -Wl,--version-script=csrc/families/names.map -Wl,-z,defs
FAMILY_SONAME  = -Wl,-soname,$(patsubst %.$(VERSION),%.$(MAJOR),$(@F))
FAMILY_NEEDS   = -L$(BUILD) -lgpuranmar -lgfortran -Wl,-rpath,'$$ORIGIN'
FAMILY_LINK    = $(CC) -shared $(ALL_LDFLAGS) $(FAMILY_SONAME) $(FAMILY_EXPORTS) -o $@ $(filter %.o,$^) $(FAMILY_NEEDS)

# $(call family_objects,FOLDER,shared or static)
family_objects = $(patsubst csrc/%,$(BUILD)/$2/%.o,$(basename $(wildcard csrc/families/$1/*.c csrc/families/$1/*.f90)))

define family_rules
$(BUILD)/libgpuranmar_$1.so.$(VERSION): $(call family_objects,$1,shared) $(BUILD)/libgpuranmar.so csrc/families/names.map FORCE
	$$(call run,LD,$$(FAMILY_LINK))
$(BUILD)/libgpuranmar_$1.so.$(MAJOR): $(BUILD)/libgpuranmar_$1.so.$(VERSION) FORCE
	$$(call run,LN,ln -sf $$(<F) $$@)
$(BUILD)/libgpuranmar_$1.so: $(BUILD)/libgpuranmar_$1.so.$(MAJOR) FORCE
	$$(call run,LN,ln -sf $$(<F) $$@)
$(BUILD)/libgpuranmar_$1.a: $(call family_objects,$1,static) FORCE
	$$(call run,AR,$$(ARCHIVE))
endef
$(foreach f,$(FAMILIES),$(eval $(call family_rules,$f)))
