# Installing, the manual pages, the source archive, and the formatters.

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share
MANDIR     ?= $(DATADIR)/man

# What is installed: the rules.mk of each folder adds that folder's files to these lists.
#   INSTALL_HEADERS  headers, Fortran modules and their sources
#   INSTALL_STATIC   static libraries
#   INSTALL_SHARED   shared libraries; one named lib*.so.$(VERSION) gets its two links
#   INSTALL_PROGRAMS programs
#   INSTALL_TOOLS    programs that need files beside them: they go to share/gpuranmar, with links
#                    from bin
#   INSTALL_BESIDE   those files
#   INSTALL_PC       files for pkg-config
INSTALL_TOOLS  += corsika-patch/gpuranmar-patch scripts/compare-profiles
INSTALL_BESIDE += corsika-patch/gpuranmar.inc corsika-patch/README.md \
                  $(wildcard corsika-patch/patchlib/*.* scripts/measure/*.py)
PAGES           = README.md $(wildcard docs/*.md) $(filter-out %job,$(PRODUCTION))
PRODUCTION      = $(wildcard examples/production/*)
CMAKE_FILES     = $(addprefix $(BUILD)/install/gpuranmar-config,.cmake -version.cmake)

# Manual pages are made from headers, from documents, and from what programs say to --help; so a
# program in Python has a page only if there is Python. gpuranmar(7) is written by hand, but for the
# settings.
our_name   = gpuranmar-$(patsubst gpuranmar-%,%,$(notdir $1))
PYTHON3   := $(shell command -v python3)
MAN        = $(BUILD)/man
IN_PYTHON  = patch compare-profiles which production
MAN_TOOLS  = $(if $(PYTHON3),$(IN_PYTHON:%=$(MAN)/gpuranmar-%.1))
MAN_PAGES  = $(MAN)/gpuranmar.3 $(MAN)/gpuranmar_engine.3 $(MAN)/gpuranmar_fortran.3 \
             $(if $(WITH_OPENCL),$(MAN)/gpuranmar_opencl.3) \
             $(if $(WITH_CUDA),$(MAN)/gpuranmar_cuda.3) \
             $(MAN)/gpuranmar.7 $(MAN)/gpuranmar-families.7 $(INSTALL_PROGRAMS:$(BUILD)/%=$(MAN)/%.1) $(MAN_TOOLS)
AS_MDOC    = $(AWK) -f docs/man/mdoc.awk
header_page  = $(AS_MDOC) -v about='$1' -v library='$2' -f docs/man/header.awk $< >$@
ABOUT_C      = the RANMAR random number sequence, from C
ABOUT_FORTRAN = the RANMAR random number sequence, from Fortran
ABOUT_ENGINE = a RANMAR sequence with a rule for zeros, from C and C++
ABOUT_CUDA   = the RANMAR random number sequence in the memory of NVIDIA GPUs
ABOUT_OPENCL = the RANMAR random number sequence in OpenCL buffers and kernels
BY_PC        = libgpuranmar (-lgpuranmar), by pkg-config gpuranmar
BY_OPENCL    = libgpuranmar_opencl (-lgpuranmar_opencl -lOpenCL)
BY_CUDA      = libgpuranmar_cuda (-lgpuranmar_cuda)
$(MAN)/gpuranmar.3: csrc/include/gpuranmar.h $(wildcard docs/man/*.awk) FORCE
	$(call run,GEN,$(call header_page,$(ABOUT_C),$(BY_PC)))
$(MAN)/gpuranmar_engine.3: csrc/include/gpuranmar_engine.h $(wildcard docs/man/*.awk) FORCE
	$(call run,GEN,$(call header_page,$(ABOUT_ENGINE),$(BY_PC)))
$(MAN)/gpuranmar_cuda.3: cuda/include/gpuranmar_cuda.h $(wildcard docs/man/*.awk) FORCE
	$(call run,GEN,$(call header_page,$(ABOUT_CUDA),$(BY_CUDA)))
$(MAN)/gpuranmar_opencl.3: opencl/include/gpuranmar_opencl.h $(wildcard docs/man/*.awk) FORCE
	$(call run,GEN,$(call header_page,$(ABOUT_OPENCL),$(BY_OPENCL)))

$(MAN)/gpuranmar.7: docs/man/gpuranmar.mdoc $(wildcard docs/man/*.awk) $(COMMAND_HERE) FORCE
	$(call run,GEN,set -o pipefail; $(COMMAND_HERE) info --settings | \
	    $(AS_MDOC) -f docs/man/settings.awk - $< >$@)

$(MAN)/gpuranmar-families.7: csrc/families/families.awk $(FAMILY_TABLE) $(wildcard docs/man/*.awk) FORCE
	$(call run,GEN,$(AWK) -v as=table -f $< $(FAMILY_TABLE) | \
	    $(AS_MDOC) -f docs/man/gpuranmar-families.awk >$@)

$(MAN)/gpuranmar_fortran.3: docs/fortran.md $(wildcard docs/man/*.awk) FORCE
	$(call run,GEN,$(AS_MDOC) -v name=gpuranmar_fortran -v section=3 -v about='$(ABOUT_FORTRAN)' \
	    -f docs/man/markdown.awk $< >$@)

# $(call help_page,PROGRAM,ABOUT,SUBCOMMANDS): what the program and its subcommands say to --help.
# 'seeds_plan' stands for the subcommand 'seeds plan'.
help_page  = set -o pipefail; export COLUMNS=80; \
             { $1 --help $(foreach sub,$3,&& $1 $(subst _, ,$(sub)) --help); } | \
             $(AS_MDOC) -v name=$(basename $(@F)) -v about='$2' -f docs/man/help.awk >$@
HELP_AWK   = docs/man/mdoc.awk docs/man/help.awk
about_patch            = puts hooks for libgpuranmar into a CORSIKA source tree
about_compare-profiles = compares two programs that draw random numbers differently
about_which            = says which RANMAR a program has and what of libgpuranmar serves it
about_production       = checks a finished production for shared numbers and replays showers of it
parts_production       = audit replay
tool_named             = $(filter %/$1 %/gpuranmar-$1,$(INSTALL_TOOLS))
define tool_page
$(MAN)/gpuranmar-$1.1: $(call tool_named,$1) $(HELP_AWK) $(INSTALL_BESIDE) FORCE
	$$(call run,GEN,$$(call help_page,$$<,$$(about_$1),$$(parts_$1)))
endef
$(foreach tool,$(IN_PYTHON),$(eval $(call tool_page,$(tool))))

# KIND:SOURCE:PLACE for each file, as scripts/install-files wants them.
to          = $(foreach file,$3,$1:$(file):$2/$(notdir $(file)))
link        = $(foreach name,$1,link:lib/$(name).$(VERSION):lib/$(name).$(MAJOR) \
                                link:lib/$(name).$(MAJOR):lib/$(name))
versioned   = $(notdir $(patsubst %.$(VERSION),%,$(filter %.so.$(VERSION),$1)))
section     = man$(subst .,,$(suffix $1))
manual      = $(foreach page,$1,644:$(page):man/$(call section,$(page))/$(notdir $(page)))
tool        = $(foreach file,$1,755:$(file):share/gpuranmar/$(file) \
                                link:share/gpuranmar/$(file):bin/$(call our_name,$(file)))
PLACES      = $(call to,644,include,$(sort $(INSTALL_HEADERS))) \
              $(call to,644,lib,$(INSTALL_STATIC)) \
              $(call to,755,lib,$(INSTALL_SHARED)) \
              $(call link,$(call versioned,$(INSTALL_SHARED))) \
              $(call to,644,lib/pkgconfig,$(INSTALL_PC)) \
              $(call to,644,lib/cmake/gpuranmar,$(CMAKE_FILES)) \
              $(call to,755,bin,$(INSTALL_PROGRAMS)) \
              $(call tool,$(INSTALL_TOOLS)) \
              $(foreach file,$(INSTALL_BESIDE) $(PAGES),644:$(file):share/gpuranmar/$(file)) \
              $(foreach file,$(filter %job,$(PRODUCTION)),755:$(file):share/gpuranmar/$(file)) \
              $(call manual,$(MAN_PAGES))

DIRECTORIES = DESTDIR PREFIX BINDIR LIBDIR INCLUDEDIR DATADIR MANDIR
PLACE       = $(foreach name,$(DIRECTORIES),$(name)=$(call quoted,$($(name)))) scripts/install-files

INSTALL_PC += $(BUILD)/install/gpuranmar.pc
install: all $(INSTALL_PC) $(CMAKE_FILES) $(MAN_PAGES)
	@$(PLACE) install $(PLACES)

# What an earlier `make install` with the same settings has installed.
uninstall:
	@$(PLACE) uninstall $(PLACES)

# The files by which pkg-config and CMake find the library.
relative_to_lib  = $(shell realpath -ms --relative-to $(call quoted,$(LIBDIR)) $(call quoted,$1))
below_prefix     = $(subst ^,,$(subst ^$(PREFIX)/,$${prefix}/,^$1))
PC_LIBDIR        = $(call below_prefix,$(LIBDIR))
PC_INCLUDEDIR    = $(call below_prefix,$(INCLUDEDIR))
INCLUDE_FROM_LIB = $(call relative_to_lib,$(INCLUDEDIR))
FILL_INS         = PREFIX PC_LIBDIR PC_INCLUDEDIR INCLUDE_FROM_LIB VERSION MAJOR LIB_LIBS
for_sed          = $(subst |,\|,$(subst &,\&,$(subst \,\\,$1)))
set_in           = s|@$1@|$(call for_sed,$($1))|g
fill_in          = sed $(foreach name,$(FILL_INS),-e $(call quoted,$(call set_in,$(name)))) $< >$@
$(BUILD)/install/%: csrc/%.in FORCE
	$(call run,GEN,$(fill_in))

# The sources as an archive: the committed ones, with the commit's version and date, whatever this
# user's settings of git and gzip are.
$(call needs_programs,dist format format-check,git)
DIST := libgpuranmar-$(if $(filter dist,$(GOALS)),$(shell git show HEAD:./csrc/include/gpuranmar.h | $(version_of)))
GIT_ARCHIVE = GIT_ATTR_NOSYSTEM=1 git -c core.attributesFile=/dev/null -c core.autocrlf=false \
              -c tar.umask=0002 archive --format=tar --prefix=$(DIST)/ HEAD
dist:
	@set -o pipefail; $(GIT_ARCHIVE) | env -u GZIP gzip -n9 >$(DIST).tar.gz || \
	    { rm -f $(DIST).tar.gz; echo "make dist: git has made no archive" >&2; exit 1; }
	@echo "$(DIST).tar.gz"

# The formatters, for what git knows: make format writes, make format-check says what differs.
.PHONY: dist format format-check
format:
	@scripts/format
format-check:
	@scripts/format --check
