#!/bin/bash
# validate/crush --slurm: on a Slurm of one node that this test starts, on the loopback interface
# and with files of its own, where Debian's slurm-wlm is installed; else with a stand-in that runs
# what is submitted. STAND_IN=1 asks for that.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
export PYTHONDONTWRITEBYTECODE=1
PATH=$PATH:/usr/sbin
node=$SCRATCH/node
mkdir -m 755 "$node"
chmod 755 "$SCRATCH"

stop() {
    for daemon in slurmd slurmctld munged; do
        [ ! -s "$node/$daemon.pid" ] || kill "$(cat "$node/$daemon.pid")"
    done
    for _ in {1..50}; do
        ls "$node"/*.pid >/dev/null 2>&1 || break
        sleep 0.1
    done
    rm -rf "$SCRATCH"
}

start_slurm() {
    local port=$((20000 + RANDOM % 10000)) host
    host=$(hostname -s)
    head -c 1024 /dev/urandom >"$node/key" && chmod 600 "$node/key"
    munged --force --key-file="$node/key" --socket="$node/munge" --pid-file="$node/munged.pid" \
        --log-file="$node/munged.log" --seed-file="$node/seed" || return 1
    mkdir "$node/state" "$node/spool"
    cat >"$node/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$node/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$node/state
SlurmdSpoolDir=$node/spool
SlurmctldPidFile=$node/slurmctld.pid
SlurmdPidFile=$node/slurmd.pid
SlurmctldLogFile=$node/slurmctld.log
SlurmdLogFile=$node/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES
END
    export SLURM_CONF=$node/slurm.conf
    slurmctld -i && slurmd || return 1
    for _ in {1..100}; do
        sinfo --noheader --states=idle 2>/dev/null | grep -q idle && return 0
        sleep 0.1
    done
    tail -n 5 "$node"/*.log >&2
    return 1
}

stand_in() {
    mkdir "$SCRATCH/bin"
    cat >"$SCRATCH/bin/sbatch" <<'END'
#!/bin/bash
for word; do
    case $word in
    --array=*) range=${word#*=} ;;
    --output=*) output=${word#*=} ;;
    --partition=none) echo "sbatch: error: invalid partition" >&2; exit 1 ;;
    esac
done
echo "Submitted batch job 1"
for task in $(seq "${range%-*}" "$(sed 's/.*-//; s/%.*//' <<<"$range")"); do
    file=${output/\%A/1}
    SLURM_ARRAY_TASK_ID=$task sh -c "${*: -1}" >"${file/\%a/$task}" 2>&1 || failed=1
done
exit ${failed-0}
END
    printf '#!/bin/sh\n' >"$SCRATCH/bin/squeue"
    chmod +x "$SCRATCH/bin/"*
    PATH=$SCRATCH/bin:$PATH
}

has_slurm() { command -v slurmctld && command -v slurmd && command -v munged; }
if [ -z "${STAND_IN-}" ] && has_slurm >/dev/null; then
    trap stop EXIT
    ok "a Slurm of one node" start_slurm
else
    stand_in
fi

export BUILD=$SCRATCH
cp validate/testu01/pretended-driver "$SCRATCH/crush-driver"
out=$SCRATCH/out
crush() { timeout 100 validate/crush --out "$out" --slurm "$@" 2>"$SCRATCH/said"; }

crush '--cpus-per-task=1 --partition=all' --flavours double,extended --jobs 2
ok "runs as an array: exit status 1, as some fail" test $? = 1
ok "... each test a task" test "$(ls "$out"/results-*_*.jsonl | wc -l)" = 6
ok "... a task that failed once ran again" grep -q '"--battery small --test 1' \
    "$out"/results-*.jsonl
ok "... one that fails twice is named" \
    grep -q 'failed twice, or was not run: .*--test 2 --flavour double' "$SCRATCH/said"
ok "... suspicious tests were repeated" test "$(cat "$out"/follow-ups-*.jsonl | wc -l)" = 6
ok "... and the report is there" grep -q 'flavour extended .* | chance |' "$out/report.md"
crush '' --flavours double,extended
ok "given again it runs what is left, which fails" test $? = 1
ok "... only that" grep -q 'results: 6 tests, 4 done before' "$SCRATCH/said"

out=$SCRATCH/refused
ok "what sbatch does not take is said" eval '! crush --partition=none'
ok "... in one line" grep -qx 'crush: sbatch did not take the array' "$SCRATCH/said"

if [ -n "${SLURM_CONF-}" ]; then
    out=$SCRATCH/held
    mkdir "$out"
    sbatch --hold --job-name="crush:$out" --output=/dev/null --wrap true >"$SCRATCH/log"
    ok "not while an array still writes to the directory" eval "! crush ''"
    ok "... it is named" grep -q "crush: Slurm jobs [0-9]* write to $out: wait" "$SCRATCH/said"
fi
finish
