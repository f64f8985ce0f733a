"""Spack's recipe (Spack 1.0 or later). Copy it to packages/libgpuranmar/ in a repository of yours,
and in the folder with the archive that `make dist` makes: spack install --no-checksum libgpuranmar.
"""
import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Libgpuranmar(MakefilePackage):
    """The random numbers of RANMAR, which Fortran Monte Carlo programs such as CORSIKA draw, bit
    for bit, from SIMD units, threads or a GPU, behind the same names."""

    url = f"file://{os.getcwd()}/libgpuranmar-1.0.0.tar.gz"
    license("BSD-3-Clause")
    version("1.0.0")
    variant("cuda", default=False, description="the plugin for NVIDIA's GPUs")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cuda", when="+cuda")
    depends_on("gmake@4.2:", type="build")
    depends_on("python@3.8:", type=("build", "run"))

    @property
    def build_targets(self):
        compilers = ["CC=" + spack_cc, "FC=" + spack_fc, "CXX=" + spack_cxx]
        return ["PREFIX=" + self.prefix, *compilers] + ["CUDA=0"] * self.spec.satisfies("~cuda")

    @property
    def install_targets(self):
        return ["install"] + self.build_targets
