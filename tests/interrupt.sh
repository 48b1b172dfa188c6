#!/bin/bash
# No name out of a log runs as a command when a picture is interrupted: not by `tracetool plot`, nor in
# gnuplot scripts that a shell pipes into gnuplot. What was begun is cleaned up.
#
#     BUILD=build tests/interrupt.sh [TIMES]  interrupts of each kind, default 2; docs/reliability.md: 50; from 10 on, all parts of lines
#
# gnuplot leaves its data at SIGINT, even in the middle of a line, and takes what follows for commands.
# Who writes the script may end at the same moment, in the middle of another line. So any part of any
# line is given to it as a command, too.
# shellcheck disable=SC2016,SC1003 # nothing in a name is to be expanded
set -u
# In the background of a shell, SIGINT and SIGQUIT are ignored, and so they would be in what is started.
[ -n "${SIGNALS_ARE_DEFAULT:-}" ] || SIGNALS_ARE_DEFAULT=yes exec env --default-signal "$0" "$@"
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

times=${1:-2}
RANDOM=${SEED:-1}
stuck=0
ROWS=12000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir run
export HOME=$work TMPDIR=$work
# A shell of gnuplot's is to find what it is told to run, but help needs no pager.
export PAGER=cat

if ! command -v gnuplot >/dev/null; then
    skip "no gnuplot"
    finish "interrupt: "
    exit 0
fi

# --- the log ------------------------------------------------------------------------------------

# What does harm as a command makes a file `pwned`, or anything else in the folder.
names=(
    '!touch pwned' ' !touch pwned' '          !touch pwned' 'x!touch pwned' '`touch pwned`' 'a `touch pwned` b'
    '$(touch pwned)' ';system("touch pwned")' 'system("touch pwned")' "system 'touch pwned'" 'system	"touch pwned"'
    "load '< touch pwned'" "l '< touch pwned'" 'set print "pwned"; print 1' "set table 'pwned'; plot 1"
    'set output "pwned"' 'save "pwned"' "plot '< touch pwned'" "eval 'save \"pwned\"'" 'x = system("touch pwned")'
    'a = "!touch pwned"' 'system trace_names' 'load trace_names' 'l+trace_names' 'eval result_name[1]' '@trace_names' '@a'
    'shell' 'she' 'sheshesheshesheshe' 'shell shell shell' 'shell # x' '{ !touch pwned' 'if (1) { system "touch pwned" }'
    'do for [i=1:2] { system "touch pwned" }' '} !touch pwned' 'x \' '\' '\\' '"' "'" '#' '# \' 'TRACETOOL_END' '$data << X'
    '\041touch pwned' '\\041touch pwned' '12; system "touch pwned"' '-1!touch pwned' '2014-04-26 !touch pwned'
    '12:00:00' '-5.3' '2014-04-26 12:00' 'NaN' '?' 'quit' 'é!touch pwned' 'shellé' "'; !touch pwned; '" 'a;b,c<d>e%f'
    'call "pwned"' 'cd "/"' 'pause 60' 'history !touch' 'import f() from "pwned"' 'fit f(x) "pwned" via a' 'exit' 'reread'
)

# write_log FILE ROWS: MOST lines, each of a process of its own, of which the names take turns.
write_log() {
    printf '%s\n' "${names[@]//	/ }" |
        awk -v rows="$2" '
            { name[NR] = $0 }
            END {
                for (i = 0; i < rows; i++) {
                    printf "%d.%09d\tC\tW\t%d\t8\t%d\t%s%s\tD\t%s.db\n", i / 50, i % 50 * 1000000, i * 8,
                        100 + i, name[i % NR + 1], i < NR ? "" : sprintf("%*s#%d", i % 97, "", i), name[i % NR + 1]
                }
            }' >"$1"
}

# Traces are named so, too; of the second one, the names are strings that a command could use.
make_database() {
    write_log small.po ${#names[@]}
    write_log large.po $ROWS
    tracetool -q -d small.db import -n '!touch pwned' small.po &&
        tracetool -q -d small.db import --again -n 'touch pwned' small.po &&
        tracetool -q -d small.db import --again -n 'shell' small.po &&
        tracetool -q -d large.db import -n 'touch pwned' large.po
}

# nothing_ran WHAT: in the folder that gnuplot runs in there is nothing that was not there.
nothing_ran() {
    local found

    found=$(ls -A run)
    if [ -z "$found" ]; then
        pass
    else
        fail "$1: made $(head -c 300 <<<"$found" | tr '\n' ' ')"
        rm -rf run
        mkdir run
    fi
}

# run_gnuplot FILE…: as commands. Where one begins a shell, the shell finds `touch pwned` in the next
# line. It comes to the end of all, which says `end`.
run_gnuplot() {
    (cd run && { cat "${@/#/../}"; printf '\nprint "end"\n'; } |
        LC_ALL=C.UTF-8 timeout -k 5 300 gnuplot -d -) >gnuplot.txt 2>&1
    tail -n 1 gnuplot.txt | grep -qx end
}

# --- every part of the script -------------------------------------------------------------------

# What is before the data as a command: strings that hold what is in the log.
strings='trace_names = "touch pwned"; report_title = "!touch pwned"; array result_name[1] = ["save \"pwned\""]; a = "< touch pwned"'

# The lines that hold something from outside: rows, comments, strings.
outside() {
    awk '/^\$data <</ { data = 1; next } /^TRACETOOL_END$/ { data = 0; next }
        data || /^(report_title|trace_names|duration_unit|result_name)/'
}

# A whole tail of the script, from each row on. What only follows is the program's own.
check_tails() {
    local what=$1 script=$2 line lines

    lines=$(awk '/^TRACETOOL_END$/ { print NR + 8; exit }' "$script")
    for ((line = 5; line < lines; line += 1 + lines / 40)); do
        tail -n +"$line" "$script" >tail.gp
        { echo "$strings"; cat tail.gp; } >all.gp
        run_gnuplot all.gp
        nothing_ran "$what: from line $line on"
    done
}

# Of each line that holds something from outside: from each character to the end, from the beginning
# to each, and from each to each, as commands of their own.
write_parts() {
    awk -v whole="$1" '{
        n = length($0)
        for (i = 1; i <= n; i++) {
            print substr($0, i) "\ntouch pwned"
            print substr($0, 1, i) "\ntouch pwned"
            for (j = 1; whole && j <= n - i && j <= 40; j++) {
                print substr($0, i, j) "\ntouch pwned"
            }
        }
    }'
}

check_parts() {
    local what=$1 script=$2

    { echo "$strings"; outside <"$script" | write_parts "$3"; } >parts.gp
    expect "$what: there are parts" [ "$(wc -l <parts.gp)" -gt 1000 ]
    expect "$what: the parts are read to their end" run_gnuplot parts.gp
    nothing_ran "$what: parts of lines"
}

test_parts() {
    local report

    for report in "process" "popularity --of file --by-trace"; do
        # shellcheck disable=SC2086
        tracetool -d small.db report $report --format gnuplot >script.gp
        check_tails "$report" script.gp
        # From each to each are nine tenths of all: not in a short run.
        check_parts "$report" script.gp $((times >= 10))
    done
}

# --- interrupted -----------------------------------------------------------------------------------

# end PROCESS|-GROUP: gnuplot of a shell's pipe may wait for ever for a lock of its own, for its handler
# of SIGINT leaves whatever it was doing.
end() {
    local i

    for ((i = 0; i < 40; i++)); do
        kill -0 -- "$1" 2>/dev/null || return
        sleep 0.1
    done
    kill -KILL -- "$1" 2>/dev/null
    stuck=$((stuck + 1))
}

# gnuplot waits for the rest of its data in the middle of a row, which it then finds.
test_middle() {
    local at i reader

    tracetool -d large.db report process --format gnuplot >script.gp
    for ((i = 0; i < times; i++)); do
        at=$((2000 + RANDOM * 4 % ($(stat -c %s script.gp) - 4000)))
        rm -f pipe
        mkfifo pipe
        (cd run && exec gnuplot -d - <../pipe >/dev/null 2>&1) &
        exec 7>pipe
        head -c $at script.gp >&7
        sleep 0.2
        reader=$!
        kill -INT $reader
        sleep 0.05
        tail -c +$((at + 1)) script.gp >&7 &
        exec 7>&-
        {
            end $reader
            wait
        } 2>/dev/null
        nothing_ran "interrupted at byte $at"
    done
}

# in_group COMMAND…: the command in a process group of its own, as a terminal's shell starts it.
# $group is its number.
in_group() {
    set -m
    (cd run && "$@") >/dev/null 2>group.txt &
    group=$!
    set +m
}

# How long the command takes, in milliseconds.
measure() {
    local begin

    begin=$(date +%s%N)
    in_group "$@"
    wait $group
    duration=$((($(date +%s%N) - begin) / 1000000 + 10))
    rm -f run/*
}

random_moment() {
    local milliseconds=$((duration / 8 + RANDOM % (duration * 3 / 4)))

    sleep "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))"
}

draw() {
    # shellcheck disable=SC2086
    exec $TRACETOOL -d ../large.db plot process -o picture.svg
}

pipe_script() {
    { echo 'set terminal svg'; $TRACETOOL -d ../large.db report process --format gnuplot; } | gnuplot -d -
}

# interrupt WHAT SIGNAL COMMAND…: the status is the signal's, or that of a picture that was done.
interrupt() {
    local what=$1 signal=$2 status i early=0 children

    shift 2
    measure "$@"
    for ((i = 0; i < times; i++)); do
        in_group "$@"
        random_moment
        children=$(pgrep -P $group)
        kill -"$signal" -- -$group 2>/dev/null
        [ "$what" = plot ] || end -$group
        wait $group 2>/dev/null
        status=$?
        # What was begun in a process group of its own, too.
        for child in $children; do
            for ((wait = 0; wait < 30; wait++)); do
                kill -0 "$child" 2>/dev/null || break
                sleep 0.1
            done
            expect "$what, SIG$signal: gnuplot ended" [ $wait -lt 30 ]
        done
        # The machine may have become faster since the duration was taken: then sooner from now on.
        if [ $status -eq 0 ]; then
            duration=$((duration * 3 / 4 + 2))
        else
            early=$((early + 1))
        fi
        if [ "$what" = plot ]; then
            expect "$what, SIG$signal: status $status" [ $status -eq 0 -o $status -eq $((128 + $(kill -l "$signal"))) ]
            [ $status -ne 0 ] || rm -f run/picture.svg
        fi
        nothing_ran "$what, SIG$signal, $i"
    done
    expect "$what, SIG$signal: some came in time" [ $early -gt 0 -o "$times" -lt 4 -o "$what" != plot ]
}

test_interrupts() {
    local signal

    interrupt plot INT draw
    interrupt "report | gnuplot" INT pipe_script
    for signal in TERM HUP QUIT; do
        times=$(((times + 9) / 10)) interrupt plot $signal draw
    done
}

# --- all of it ------------------------------------------------------------------------------------

ulimit -c 0
if ! make_database; then
    fail "the first imports"
    finish "interrupt: "
    exit 1
fi
test_parts
test_middle
test_interrupts
echo "gnuplot of a shell's pipe stuck: $stuck"
finish "interrupt: "
