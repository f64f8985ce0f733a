"""states.py write|read: writes states of Python's RANMAR into the current folder, or reads them
there, and prints the next numbers."""
import json
import pickle
import sys

import numpy as np
from gpuranmar import FLAVOURS, RANMAR

for flavour in FLAVOURS:
    if sys.argv[1] == "write":
        with open(f"{flavour}.json", "w") as file:
            json.dump(RANMAR(1802, 123, flavour, "keep").split(2, 1).state, file)
    random = RANMAR()
    with open(f"{flavour}.json") as file:
        random.state = json.load(file)
    print(flavour, *random.random_raw(3))
if sys.argv[1] == "write":
    with open("pickle", "wb") as file:
        pickle.dump([RANMAR(1802, 123), np.random.Generator(RANMAR(9373, 5))], file, protocol=4)
with open("pickle", "rb") as file:
    ranmar, generator = pickle.load(file)
print("pickle", *ranmar.random_raw(3), *map(float.hex, generator.random(3)))
