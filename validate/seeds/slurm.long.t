#!/bin/bash
# examples/production on a Slurm of its own, as root, on loopback: an array of runs, some of which
# are killed in the middle of a shower, by signals, the time limit, a requeue and full disks. At the
# end every shower is there once, with the bytes of an undisturbed run.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
[ "$(id -u)" = 0 ] || skip_all 'only root can start a Slurm'
for program in munged slurmctld slurmd sbatch; do
    type -P $program >/dev/null || skip_all "$program is not installed"
done
root=$PWD shower=$(realpath "${BUILD:-build}")/shower-relinked
[ -x "$shower" ] || skip_all 'no Fortran compiler is found'
PATH=$(realpath "${BUILD:-build}"):$PATH
audit=$root/csrc/command/gpuranmar-production
daemons=()
end() {
    [ ${#daemons[@]} = 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait "${daemons[@]}" 2>/dev/null
    umount "$SCRATCH"/{small,a\ production/moving} 2>/dev/null
    rm -rf "$SCRATCH"
}
trap end EXIT
chmod 755 "$SCRATCH"
cd "$SCRATCH" || exit

# --- Slurm ---
mkdir slurm slurm/{state,spool}
head -c 128 /dev/urandom >slurm/key
chmod 400 slurm/key
port=$((20000 + RANDOM % 10000))
export SLURM_CONF=$SCRATCH/slurm/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$SCRATCH/slurm/munge
SlurmctldPidFile=$SCRATCH/slurm/slurmctld.pid
SlurmdPidFile=$SCRATCH/slurm/slurmd.pid
SlurmctldLogFile=$SCRATCH/slurm/slurmctld.log
SlurmdLogFile=$SCRATCH/slurm/slurmd.log
StateSaveLocation=$SCRATCH/slurm/state
SlurmdSpoolDir=$SCRATCH/slurm/spool
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
KillWait=2
NodeName=here NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) CPUs=6
PartitionName=main Nodes=here Default=YES MaxTime=INFINITE State=UP
END
munge=(--socket="$PWD/slurm/munge" --key-file="$PWD/slurm/key" --pid-file="$PWD/slurm/munged.pid")
munged -F "${munge[@]}" --seed-file="$PWD/slurm/seed" --num-threads=1 2>slurm/munged &
daemons+=($!)
for _ in {1..50}; do [ -S slurm/munge ] || sleep 0.2; done
slurmctld -D -i >slurm/ctld 2>&1 &
daemons+=($!)
slurmd -D -N here >slurm/d 2>&1 &
daemons+=($!)

# within SECONDS CONDITION...: waits until it is met.
within() {
    local end=$((SECONDS + $1))
    while ! "${@:2}" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return
        sleep 0.3
    done
}
is_idle() { sinfo -h -o %t | grep -qx idle; }
is_empty() { [ -z "$(squeue -h -o %i)" ]; }
hangs() { [ -e "$SCRATCH/hangs/$1" ]; }
within 60 is_idle || skip_all "Slurm does not start here: $(tail -n 1 slurm/slurmctld.log)"

# --- The production ---
mkdir "a production" hangs small tmp
export TMPDIR=$SCRATCH/tmp
cp "$root"/examples/production/{job,slurm.job} "a production"
cd "a production" || exit
printf '%s\n' 'NSHOW 3' 'PRMPAR 14' 'ERANGE 3.E3 1.E4' 'CERENK 100.' >./head
printf '%s\n' "program=$SCRATCH/program" 'plan=(--jobs 20 --sequences 3 --numbers 1e9)' >settings
# Runs 3, 5, 7, 11 and 15 hang at their first attempt, when they have written a part of their file.
cat >../program <<END
#!/bin/bash
cards=\$(cat)
run=\$(awk '\$1 == "RUNNR" { print \$2 }' <<<"\$cards")
"$shower" <<<"\$cards" &
case \$run in
    3 | 5 | 7 | 11 | 15)
        if [ ! -e "$SCRATCH/hangs/\$run" ]; then
            until [ -s "\$(sed -n 's/^DIRECT *//p' <<<"\$cards")"/DAT* ]; do sleep 0.01; done
            kill -STOP \$!
            echo \$\$ >"$SCRATCH/hangs/\$run"
        fi
        ;;
esac
wait \$!
END
chmod +x ../program
submit() { sbatch --parsable "$@" slurm.job 2>&1; }
is_pending() { [ "$(squeue -h -j "$1" -o %T)" = PENDING ]; }

job=$(submit --array=1-8,10-12)
ok 'an array is taken' [ "$job" -gt 0 ]
for run in 3 5 7 11; do ok "... run $run hangs" within 60 hangs $run; done
hangs 11 || finish
ok '... an audit meanwhile: nothing is shared' within 60 "$audit" audit results
"$audit" audit results ../tmp/*-run0000{03,05,07,11}.* >../said 2>&1
ok '... with the files of the jobs that run' grep -q '^No two of these runs' ../said
ok '... whose files it names' grep -q 'DAT000007: ends without the end' ../said
scancel --signal=KILL --full "${job}_3"
scontrol update JobId="${job}_5" TimeLimit=1
scontrol requeue "${job}_7"
within 60 is_pending "${job}_7"
# In the second in which Slurm has revoked the job's credential it refuses to launch it again.
scontrol update JobId="${job}_7" StartTime=now+2
kill -KILL "$(cat ../hangs/11)"

ok 'the queue gets empty' within 120 is_empty
# Run 9 has no room for its files on the node's disk, run 13 none at its end.
if mount -t tmpfs -o size=16k none ../small 2>../said; then
    mount -t tmpfs -o size=16k none moving
    TMPDIR=$SCRATCH/small submit --array=9 >/dev/null
    submit --array=13 >/dev/null
    ok 'disks are full' within 120 is_empty
    ok '... which is said' grep -rq 'run 000009: its files are not whole, nothing is kept' .
    umount moving ../small
else
    skip 'disks are full' 'nothing can be mounted here'
fi
ls results >../got
printf '%06d\n' 1 2 4 6 7 8 10 12 >../expected
same 'killed jobs leave nothing, the requeued one has its file' ../expected ../got
ok '... the time limit is said' grep -rq 'run 000005 was stopped: nothing is kept' .
ok '... and the requeue' grep -rq 'run 000007 was stopped: nothing is kept' .
"$audit" audit . >../said
ok '... an audit of what they left: nothing is shared' [ $? = 0 ]

job=$(submit --array=1-20)
ok 'the array again: run 15 hangs' within 120 hangs 15
ok '... another attempt at it meanwhile' ./job 15
pkill -CONT -P "$(cat ../hangs/15)"
ok '... all end' within 300 is_empty
ok '... the first attempt too' [ ! -s "slurm-${job}_15.out" ]
ok '... every run is there' [ "$(ls results | wc -l)" = 20 ]
ok '... and nothing else' [ -z "$(ls -A moving ../small ../tmp | grep -v :)" ]
"$audit" audit --json ../json . >../said
report $? 'the audit: nothing is shared'
ok '... or unknown' python3 -c 'import json, sys
found = json.load(open("../json"))
left = len(found["runs"]) - 20, found["unknown"], found["missing"], found["twice"]
sys.exit(any(left) and str(left))'
ok '... and it says so' grep -q '^Each shower is there once; none that a card asks for is missing' ../said
for run in 3 5 7 9 11 13 15; do
    name=$(printf %06d $run)
    mkdir -p ../again
    sed "s:^DIRECT.*:DIRECT $SCRATCH/again/:" "results/$name/cards" | "$shower" >/dev/null
    same "run $run has the bytes of an undisturbed run" "../again/DAT$name" "results/$name/DAT$name"
done
ok 'a shower again' "$audit" replay results/000007/DAT000007 7:2 --card results/000007/cards \
    --run "$shower"
refused() { ! ./job "$1" >../said 2>&1 && grep -q "$2" ../said; }
ok 'a run that the plan does not have' refused 21 '21 is not in 1..20'
sed -i 's/20/30/; s/1e9/2e9/' settings
another='the plan is another than that of results'
ok '... a plan that was changed' refused 21 "run 000021: $another/000001"
sed -i 's/30/3/; s/2e9/1e9/' settings
mkdir ../others && mv results/0000{01..19} ../others
ok '... one that lacks a run that is there' refused 2 "run 000002: $another/000020"
if needs 'htcondor.sub, as condor_submit reads it' condor_submit; then
    cp "$root/examples/production/htcondor.sub" .
    ok 'htcondor.sub, as condor_submit reads it' condor_submit -dry-run - htcondor.sub
    ok '... the last of its runs' grep -qx 'Args="1000"' ../said
fi
finish
