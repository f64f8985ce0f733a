#!/bin/bash
# alone.t with a static program that was linked with link-time optimisation, which leaves out what
# it sees no use of: the ELF note must still be there.
STATIC_PROGRAM=alone-lto exec "$(dirname "$0")/alone.t"
