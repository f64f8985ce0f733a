"""The parts of gpuranmar-patch. whichlib, which gpuranmar-which uses too, reads the Fortran."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../csrc/command"))
