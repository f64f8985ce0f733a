#!/bin/sh
# The program of restart.t, killed a thousand times.
KILLS=${KILLS:-1000} exec "${0%/*}/restart.t"
