# The build itself, what is installed and packed, and the manual pages.

validate/tests/build/man.t: $(MAN_PAGES)
$(addprefix validate/tests/build/,install.t packages.long.t): \
  all $(if $(FORTRAN),$(BUILD)/reference-numbers)
