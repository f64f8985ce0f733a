#!/bin/sh
# Each program of restart.t, killed a thousand times, and carried on by other machines.
KILLS=${KILLS:-1000} FOREIGN=1 exec "${0%/*}/restart.t"
