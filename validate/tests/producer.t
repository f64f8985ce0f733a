#!/bin/bash
# A thread that makes the caches ahead changes no number: the tests of streams again, with it.
GPURANMAR_PRODUCER=thread exec "${BUILD:-build}/test_stream"
