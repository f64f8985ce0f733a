"""Python: a NumPy Generator on RANMAR."""
import numpy as np
from gpuranmar import RANMAR

random = np.random.Generator(RANMAR(1802))
x = random.random((1_000_000, 2))
print((np.sum(x**2, axis=1) < 1).sum(), "of 1000000 points lie in the circle")
