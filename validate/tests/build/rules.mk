# The build itself, what is installed and packed, and the manual pages.

validate/tests/build/man.t: $(MAN_PAGES)
validate/tests/build/install.t: all
