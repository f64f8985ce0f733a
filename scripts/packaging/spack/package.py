"""Spack's recipe (Spack 1.0 or later). Copy it to packages/libgpuranmar/ in a repository of yours.
It builds from the archive that `make dist` makes. In the folder with that archive, run

    spack install --no-checksum libgpuranmar
"""
import os

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Libgpuranmar(MakefilePackage, CudaPackage):
    """The random numbers of RANMAR, which Fortran Monte Carlo programs such as CORSIKA draw, bit
    for bit, from SIMD units, threads or a GPU, behind the same names."""

    url = f"file://{os.getcwd()}/libgpuranmar-1.0.0.tar.gz"
    license("BSD-3-Clause")

    version("1.0.0")

    variant("fortran", default=True, description="RMMAQD, RM48IN, RMMAQ and the Fortran modules")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("gmake@4.2:", type="build")
    depends_on("python@3.8:", type=("build", "run"))
    depends_on("perl", type="test")
    depends_on("cmocka", type="test")

    @property
    def build_targets(self):
        spec = self.spec
        settings = ["PREFIX=" + self.prefix, "CC=" + spack_cc]
        settings.append("FC=" + (spack_fc if "+fortran" in spec else "no-fortran"))
        if "+cuda" in spec:
            settings.append("NVCC=" + spec["cuda"].prefix.bin.nvcc)
            arch = spec.variants["cuda_arch"].value
            if arch != ("none",):
                settings.append("CUDA_ARCH=sm_" + min(arch, key=int))
        else:
            settings.append("CUDA=0")
        return settings

    @property
    def install_targets(self):
        return ["install"] + self.build_targets

    def check(self):
        make("check", *self.build_targets)
