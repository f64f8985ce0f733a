"""Puts libgpuranmar into the package, so that it needs no library at run time: `pip install
csrc/python` builds it in the source tree, with make and a C compiler."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HEADER = os.path.join(TREE, "csrc", "include", "gpuranmar.h")
if not os.path.exists(HEADER):
    sys.exit(f"gpuranmar: {TREE} is not libgpuranmar's source tree: pip install csrc/python")
with open(HEADER) as header:
    VERSION = ".".join(re.findall(r"define GPURANMAR_VERSION_\w+ (\d+)", header.read()))


class BuildWithLibrary(build_py):
    """build_py that also puts the library beside the modules."""

    def run(self):
        super().run()
        target = os.path.join(self.build_lib, "gpuranmar", "libgpuranmar.so")
        with tempfile.TemporaryDirectory() as folder:
            # Python needs no Fortran names, and no Fortran run-time library.
            make = ["make", "-s", "-C", TREE, f"BUILD={folder}", "CUDA=0", "FC=none"]
            subprocess.run([*make, f"{folder}/libgpuranmar.so"], check=True)
            shutil.copy(os.path.realpath(f"{folder}/libgpuranmar.so"), target)


class BinaryDistribution(Distribution):
    """Makes a wheel for this machine's platform only, since the package has a library in it."""

    def has_ext_modules(self):
        return True


setup(version=VERSION, cmdclass={"build_py": BuildWithLibrary}, distclass=BinaryDistribution)
