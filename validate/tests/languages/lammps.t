#!/bin/bash
# LAMMPS as Debian has it, with its class RanMars and with the library's in its place: the same
# numbers from every method, states that either goes on from, refusals, and the same thermodynamic
# output of a Langevin gas.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'lmp cannot load a library with the sanitizers'
BUILD=$(realpath "${BUILD:-build}")
[ -x "$BUILD/lammps-calls" ] || skip_all 'no C++ compiler is found'
lammps=$(ldconfig -p | awk '/liblammps\.so/ {print $NF; exit}')
if [ -z "$lammps" ] || ! command -v lmp >/dev/null; then
    skip_all 'LAMMPS is not found'
fi
cd "$SCRATCH" || exit
export OMPI_MCA_plm_rsh_agent='' OMP_NUM_THREADS=1
calls=$BUILD/lammps-calls
ours() { env LD_PRELOAD="$BUILD/libgpuranmar_lammps.so" "$@"; }

for seed in 1 2 77 900000000; do
    "$calls" "$lammps" $seed save >theirs 2>log
    ours "$calls" "$lammps" $seed save >ours 2>>log
    [ "$(wc -l <ours)" -gt 1500 ] && cmp theirs ours >>log
    report $? "the methods, seed $seed: $(wc -l <ours) answers"
done
tail -n 103 theirs >state
"$calls" "$lammps" 5 restore <state >theirs 2>log
ours "$calls" "$lammps" 5 restore <state >ours 2>>log
[ -s ours ] && cmp theirs ours >>log
report $? "on from LAMMPS' own state"
LD_DEBUG=bindings ours "$calls" "$lammps" 1 2>&1 |
    grep -q 'liblammps.* to .*libgpuranmar_lammps.*RanMars7uniform'
report $? "LAMMPS' own calls arrive at the library"

for what in seed rayleigh besselexp; do
    for how in env ours; do
        $how "$calls" "$lammps" bad $what >log 2>&1 && echo "exit status 0" >log
        grep '^ERROR' log | head -n 1 >$how.line
    done
    [ -s env.line ] && cmp env.line ours.line >>log
    report $? "a bad $what is refused as LAMMPS refuses it"
done

cat >in.gas <<'END'
units lj
atom_style atomic
lattice sc 0.02
region box block 0 10 0 10 0 10
create_box 2 box
create_atoms 1 box
set type 1 type/subset 2 300 4711
mass * 1.0
velocity all create 1.5 87287 dist gaussian
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all nve
fix 2 all langevin 1.0 1.2 0.5 699483 zero yes
thermo 100
thermo_style custom step temp pe ke etotal press
run 1000
END
# The table of a run: what it prints for each step.
thermo() { sed -n '/^Step/,/^Loop/p' | grep -v '^Loop'; }
lmp -in in.gas -log none 2>log | thermo >theirs
ours lmp -in in.gas -log none 2>>log | thermo >ours
[ "$(wc -l <ours)" = 12 ] && cmp theirs ours >>log
report $? 'lmp: the same thermodynamic output of a Langevin gas'
sed -i s/699483/699484/ in.gas
ours lmp -in in.gas -log none 2>log | thermo >other
! cmp -s theirs other
report $? 'another seed, another output'
finish
