"""The parts of gpuranmar-patch. It reads Fortran as gpuranmar-which does, by the same module."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../csrc/command"))
