#!/bin/bash
# The Python package, by the first Python here that has NumPy: python.py.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'python3 cannot load a library with the sanitizers'
[ -x "${BUILD:-build}/reference-numbers" ] || skip_all 'no Fortran compiler is found'
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null || continue
    "$python" validate/tests/languages/python.py # not by exec, which would leave $SCRATCH behind
    exit
done
skip_all 'NumPy is not found'
