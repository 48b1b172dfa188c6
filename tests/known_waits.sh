#!/bin/bash
# Records tests/known_waits.c with ftrace: a log of calls that wait for known causes and times.
#
#     BUILD=build tests/known_waits.sh OUTPUT FOLDER
#
# Writes OUTPUT.ftrace.gz, and OUTPUT.tsv with the times that the kernel accounts for the calls.
# FOLDER: on a real disk, for the file that the program syncs. Needs root and tracefs. testdata/ftrace/known/waits.* is such a recording.
set -eu

output=$1 folder=$2
tracing=/sys/kernel/tracing
program=$(mktemp)
trap 'rm -f "$program"; echo 0 >$tracing/tracing_on; echo >$tracing/set_event' EXIT
[ -e $tracing/trace ] || mount -t tracefs nodev $tracing
${CC:-cc} -O1 -pthread -o "$program" "$(dirname "$0")/known_waits.c"

echo 0 >$tracing/tracing_on
echo nop >$tracing/current_tracer
echo >$tracing/trace
echo 16384 >$tracing/buffer_size_kb
echo mono >$tracing/trace_clock
filter() {
    echo "$2" >"$tracing/events/$1/filter"
    echo 1 >"$tracing/events/$1/enable"
}
# Only the measured calls, and only switches and wakeups of their threads, keep the log small.
filter raw_syscalls/sys_enter 'comm ~ "known-call"'
filter raw_syscalls/sys_exit 'comm ~ "known-call"'
filter sched/sched_switch 'prev_comm ~ "known*" || next_comm ~ "known*"'
filter sched/sched_waking 'comm ~ "known*"'
for event in sched/sched_process_fork sched/sched_process_exit irq/irq_handler_entry irq/irq_handler_exit \
    irq/softirq_entry irq/softirq_exit irq_vectors block/block_rq_issue block/block_rq_complete; do
    echo 1 >"$tracing/events/$event/enable"
done
echo 1 >$tracing/tracing_on
# Others on the machine would take the processor between a call and the reading of its times.
nice -n -15 "$program" "$folder" >"$output.tsv"
echo 0 >$tracing/tracing_on
cat $tracing/trace | gzip -9n >"$output.ftrace.gz"
