#!/bin/bash
# Stands in for the GPU's tests where they are not built, and reports each as skipped.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
for test in device calls delivery processes failures nvrtc transport; do
    skip "$test" 'the CUDA part is not built'
done
finish
