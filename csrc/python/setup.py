"""Puts libgpuranmar into the package, so that it needs no library at run time. In the source tree,
`pip install csrc/python`, the library is built there, with make and a C compiler. Elsewhere, as
from an sdist, the installed library is taken, which pkg-config finds."""
import os
import shutil
import subprocess
import sys
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def installed_library():
    """The shared library that pkg-config knows."""
    ask = [os.environ.get("PKG_CONFIG", "pkg-config"), "--print-errors"]
    try:
        subprocess.run([*ask, "--exists", "gpuranmar >= 1.0 gpuranmar < 2"], check=True)
        folder = subprocess.check_output([*ask, "--variable=libdir", "gpuranmar"], text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"gpuranmar: no installed libgpuranmar is found, and no source tree: {error}")
    return os.path.join(folder.strip(), "libgpuranmar.so")


class BuildWithLibrary(build_py):
    """build_py that also puts the library beside the modules."""

    def run(self):
        super().run()
        target = os.path.join(self.build_lib, "gpuranmar", "libgpuranmar.so")
        if not os.path.exists(os.path.join(TREE, "csrc", "include", "gpuranmar.h")):
            shutil.copy(os.path.realpath(installed_library()), target)
            return
        with tempfile.TemporaryDirectory() as folder:
            # Python needs no Fortran names, and no Fortran run-time library.
            make = ["make", "-s", "-C", TREE, f"BUILD={folder}", "CUDA=0", "FC=none"]
            subprocess.run([*make, f"{folder}/libgpuranmar.so"], check=True)
            shutil.copy(os.path.realpath(f"{folder}/libgpuranmar.so"), target)


class BinaryDistribution(Distribution):
    """The package as one for a single kind of machine, since it has a library in it."""

    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": BuildWithLibrary}, distclass=BinaryDistribution)
