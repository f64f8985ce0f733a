#!/bin/bash
# The proofs of test_proof.c with all values of the 24-bit parts in all places.
cd "$(dirname "$0")/../../.." && exec "${BUILD:-build}/test_proof" all
