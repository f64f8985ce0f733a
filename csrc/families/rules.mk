# The interfaces for programs with other names than CORSIKA's: each row of families.def is a
# library libgpuranmar_NAME of its own, shared and static, that uses libgpuranmar.

# All are linked with Fortran's library, and so are left out where there is no Fortran compiler.
FAMILY_TABLE   = csrc/families/families.def
FAMILY_ROWS   := $(shell $(AWK) -v as=flags -f csrc/families/families.awk $(FAMILY_TABLE))
row_of         = $(filter $1~%,$(FAMILY_ROWS))
family_sources = $(subst $(comma), ,$(word 2,$(subst ~, ,$(call row_of,$1))))
family_macros  = $(wordlist 3,99,$(subst ~, ,$(call row_of,$1)))
FAMILIES      := $(if $(FORTRAN),$(foreach row,$(FAMILY_ROWS),$(firstword $(subst ~, ,$(row)))))
FAMILY_SHARED  = $(FAMILIES:%=$(BUILD)/libgpuranmar_%.so.$(VERSION))
FAMILY_STATIC  = $(FAMILIES:%=$(BUILD)/libgpuranmar_%.a)
LIBRARIES     += $(FAMILY_SHARED) $(FAMILY_SHARED:%.$(VERSION)=%.$(MAJOR)) \
                 $(FAMILY_SHARED:%.$(VERSION)=%) $(FAMILY_STATIC)
INSTALL_STATIC += $(FAMILY_STATIC)
INSTALL_SHARED += $(FAMILY_SHARED)
INSTALL_BESIDE += csrc/families/README.md $(FAMILY_TABLE)
INSTALL_PC     += $(FAMILY_STATIC:$(BUILD)/libgpuranmar_%.a=$(BUILD)/install/gpuranmar-%.pc)
$(BUILD)/install/gpuranmar-%.pc: $(BUILD)/install/gpuranmar.pc FORCE
	$(call run,GEN,sed -e 's/^Name:.*/&-$*/' -e 's/^Libs: .*/Libs: -lgpuranmar_$*/' \
	               -e 's/^Libs.private:.*/Requires: gpuranmar/' -e '/^Cflags/d' $< >$@)

# A family's library finds libgpuranmar beside itself, wherever a program has found it. names.map
# exports Fortran's names by the underscore at their end, which other names of the objects lack.
FAMILY_EXPORTS = -Wl,--version-script=csrc/families/names.map -Wl,-z,defs
FAMILY_SONAME  = -Wl,-soname,$(patsubst %.$(VERSION),%.$(MAJOR),$(@F))
family_needs   = -L$(BUILD) -lgpuranmar -lgfortran -lm -Wl,-rpath,'$$ORIGIN'
family_link    = $(CC) -shared $(ALL_LDFLAGS) $(FAMILY_SONAME) $(FAMILY_EXPORTS) -o $@ \
                 $(filter %.o,$^) $(family_needs)

# $(call family_objects,FAMILY,shared or static)
family_objects = $(patsubst %,$(BUILD)/$2/family/$1/%.o,$(basename $(call family_sources,$1)))

# $(call family_compilations,FAMILY,shared or static,options for objects of that kind)
define family_compilations
$(BUILD)/$2/family/$1/%.o: csrc/families/%.c FORCE
	$$(call run,CC,$(CC) $$(ALL_CFLAGS) $$(INCLUDES) $$(family_macros_$1) $3 -c -o $$@ $$<)
$(BUILD)/$2/family/$1/%.o: csrc/families/%.f90 FORCE
	$$(call run,FC,$(FC) $$(ALL_FFLAGS) -Wall -Wextra $3 -J$$(@D) -c -o $$@ $$<)
$(BUILD)/$2/family/$1/%.o: csrc/families/%.F90 csrc/families/files.inc \
                            csrc/fortran/unit_is_known.inc FORCE
	$$(call run,FC,$(FC) $$(ALL_FFLAGS) -Wall -Wextra -DFAMILY_$1 $3 -J$$(@D) -c -o $$@ $$<)
endef

define family_rules
family_macros_$1 := $$(call family_macros,$1)
$(call family_compilations,$1,shared,-fPIC)
$(call family_compilations,$1,static)
$(BUILD)/libgpuranmar_$1.so.$(VERSION): $(call family_objects,$1,shared) \
                                        $(BUILD)/libgpuranmar.so csrc/families/names.map FORCE
	$$(call run,LD,$$(call family_link,$1))
$(BUILD)/libgpuranmar_$1.a: $(call family_objects,$1,static) FORCE
	$$(call run,AR,$$(ARCHIVE))
endef
$(foreach f,$(FAMILIES),$(eval $(call family_rules,$f)))
