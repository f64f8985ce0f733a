#!/bin/sh
# In place of the GPU's tests where they are not built.
i=0
for test in device calls delivery processes failures nvrtc transport pi; do
    i=$((i + 1))
    echo "ok $i - $test # SKIP the CUDA part is not built"
done
echo "1..$i"
