#!/bin/bash
# The format ftrace: one recording in every form in which tools print it, against what blkparse prints
# of the same (testdata/ftrace/generate, which shares nothing with the program; tests/blkparse.sh
# holds that against awk), the samples beside the checkout, and damaged and failing files.
#
#     BUILD=build [SHARED=FOLDER] tests/ftrace.sh [renew]    renew writes testdata/ftrace anew
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

data=$root/testdata/ftrace
samples=$shared/data/ftrace

# show_of DATABASE WHAT: what `show` says.
show_of() {
    tracetool -d "$1" show log --format tsv | sed -n "s/^$2\t//p"
}

# ignored DATABASE: reasons and how many.
ignored() {
    tracetool -d "$1" show log --format tsv | awk -F'\t' '$1 == "ignored" && NF > 2 { print $2 "\t" $3 }' | sort
}

# --- the test data ------------------------------------------------------------------------------------

made_anew() {
    if ! command -v python3 >/dev/null; then
        skip "testdata/ftrace: there is no python3"
        return
    fi
    python3 "$data/generate" "$work/made"
    if [ "$1" = renew ]; then
        rm -rf "$data"/{ok,damaged,fail,expected}
        cp -r made/* "$data"
    fi
    kept_files made "$data" testdata/ftrace
}

# --- every form ---------------------------------------------------------------------------------------

reports=(dump "report rw" "report latency" "report process" "report process --by issuer"
    "report popularity" "report gaps" "report iosize" "report locality" "report stages")

# check_same WHAT: log.db says what text.db says.
check_same() {
    local report

    for report in "${reports[@]}"; do
        # shellcheck disable=SC2086 # a report and its options
        rows text.db $report >wanted.tsv
        # shellcheck disable=SC2086
        rows log.db $report >got.tsv
        check "$1: $report" wanted.tsv got.tsv
    done
    check_derived "$1" log.db
}

all_forms() {
    local form

    import_as text.db "$data/expected/blkparse.txt" -f blkparse
    expect "expected/blkparse.txt has events" [ "$(listing text.db | wc -l)" -gt 200 ]
    for form in trace.txt tgid.txt noirq.txt nanoseconds.txt latency.txt trace-cmd.txt \
        perf.txt perf-stacks.txt carriage-returns.txt saved.html old-systrace.html trace-pipe.txt \
        tracer-blk.txt both.txt; do
        import_as log.db "$data/ok/$form"
        expect "$form: format" [ "$(show_of log.db format)" = ftrace ]
        expect "$form: nothing is rejected" [ "$(show_of log.db rejected)" = 0 ]
        check_same "$form"
    done
    # Buffers were overwritten, and CPU 1 begins behind the first issue, which has no completion then.
    import_as log.db "$data/ok/older.txt"
    listing text.db | sed '0,/ latency [0-9.]*/s///' >wanted.txt
    listing log.db >got.txt
    check "older.txt: all but the first latency" wanted.txt got.txt
}

# Markers of atrace's tell the wall clock, and are the first events: a millisecond before the others.
with_wall_clock() {
    local form

    for form in atrace.txt systrace.html; do
        import_as log.db "$data/ok/$form"
        listing text.db | awk '{ sub(/^[^ ]* /, ""); print }' >wanted.txt
        listing log.db | awk '{ sub(/^[^ ]* /, ""); print }' >got.txt
        check "$form: dump without times" wanted.txt got.txt
        expect "$form: first event" [ "$(listing log.db | head -n 1 | cut -d' ' -f 1)" = 0.001000000 ]
        expect "$form: start" [ "$(sqlite3 log.db 'SELECT start FROM trace')" = 1420155513201000000 ]
        expect "$form: nothing is rejected" [ "$(show_of log.db rejected)" = 0 ]
    done
}

# What is not read is counted by the generator's own lines.
what_is_said() {
    local log=$data/ok/trace.txt

    import_as log.db "$log"
    {
        printf 'block event of a buffer, not of an I/O\t%d\n' "$(grep -c ': block_touch_buffer: ' "$log")"
        printf 'block event that says what block_rq_issue and _complete say\t%d\n' "$(grep -c ': block_io_done: ' "$log")"
        printf 'block_bio_complete of a device whose requests complete\t%d\n' "$(grep -c ': block_bio_complete: 8,0 ' "$log")"
        printf 'event that is not read\t%d\n' "$(grep -c ': sched_switch: ' "$log")"
    } >wanted.tsv
    ignored log.db >got.tsv
    check "trace.txt: what is ignored" wanted.tsv got.tsv
    {
        echo "$(grep -c ': block_bio_complete: 8,0 ' "$log") completions of I/Os are passed over (block_bio_complete): they end with their requests, whose completions are in the log"
        echo "events that are not read: sched_switch $(grep -c ': sched_switch: ' "$log")"
    } >wanted.txt
    show_of log.db remark | grep 'passed over\|not read' >got.txt
    check "trace.txt: remarks" wanted.txt got.txt
    import_as log.db "$data/ok/older.txt"
    expect "older.txt: overwritten" grep -qx "57 events were overwritten in the kernel's buffer before the log was read" \
        <(show_of log.db remark)
    import_as log.db "$data/ok/both.txt"
    expect "both.txt: passed over" [ "$(ignored log.db)" = "line of the tracer blk, whose block events are in the log	$(grep -c ' d\.\.1\. [0-9.]*:  *[0-9]*,' "$data/ok/both.txt")" ]
    import_as log.db "$data/ok/perf-stacks.txt"
    expect "perf-stacks.txt: stacks" grep -qx "line of a stack	$(grep -c '^	' "$data/ok/perf-stacks.txt")" <(ignored log.db)
}

losses() {
    import_as log.db "$data/ok/trace-pipe.txt"
    expect "lost events are in the head of reports" \
        grep -q '^# trace log: .*, 130 lost$' <(tracetool -d log.db report rw --format tsv)
}

others() {
    import_as log.db "$data/ok/plug.txt"
    cat >wanted.txt <<'END'
0.000000000 P N [1 dd] none
0.000002000 U N [1 dd] none requests 3
END
    listing log.db | head -n 2 >got.txt
    check "plug.txt: plugs" wanted.txt got.txt
    # A driver's command has bytes and no sector, as blkparse's text of one.
    printf '  8,0 0 1 0.000000000 1 D N 36 () [dd]\n  8,0 0 2 0.000005000 1 D R 512 (12 00 00) [dd]\n' >scsi.txt
    import_as scsi.db scsi.txt
    listing scsi.db | cut -d' ' -f 2- >wanted.txt
    listing log.db | tail -n 2 | cut -d' ' -f 2- >got.txt
    check "plug.txt: commands" wanted.txt got.txt
    # Counters of unknown frequency: three units a microsecond.
    import_as log.db "$data/ok/counter.txt"
    expect "counter.txt: unit" [ "$(sqlite3 log.db 'SELECT clock_unit FROM trace')" = "counter units" ]
    sqlite3 text.db 'SELECT time * 3 / 1000, duration * 3 / 1000 FROM event ORDER BY id' >wanted.txt
    sqlite3 log.db 'SELECT time, duration FROM event ORDER BY id' >got.txt
    check "counter.txt: times" wanted.txt got.txt
}

# The pieces of a log, together.
pieces() {
    local log=$data/ok/trace.txt

    head -n 200 "$log" >a.txt
    tail -n +201 "$log" >b.txt
    import_as log.db --join a.txt b.txt
    check_same "joined pieces"
}

# --- calls --------------------------------------------------------------------------------------------

# calls_of DATABASE: time, duration, who, what, on which file, where, how much, with what result.
calls_of() {
    sqlite3 -readonly -tabs "$1" "SELECT e.time, ifnull(e.duration, ''), a.pid, a.tid, a.name, n.kind, n.text,
            ifnull(o.name, ''), ifnull(e.address, ''), ifnull(e.size, ''), ifnull(e.value, ''),
            ifnull(f.text, ''), ifnull(f.code, '')
        FROM event AS e JOIN trace AS t ON e.id BETWEEN t.first_event AND t.last_event
        JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor
        LEFT JOIN object AS o ON o.id = e.object LEFT JOIN name AS f ON f.id = e.error
        WHERE t.kind = 'calls' ORDER BY e.time, e.id"
}

system_calls() {
    local form

    for form in syscalls syscalls-trace-cmd syscalls-perf syscalls-raw syscalls-arm64; do
        import_as log.db "$data/ok/$form.txt"
        calls_of log.db >got.tsv
        check "$form.txt" "$data/expected/syscalls.tsv" got.tsv
        check_derived "$form.txt" log.db
        printf 'merged\t24\nignored\t1\nrejected\t0\n' >wanted.txt
        tracetool -d log.db show log --format tsv | grep -E '^(merged|ignored|rejected)	[0-9]*$' >got.txt
        check "$form.txt: ledger" wanted.txt got.txt
        expect "$form.txt: without an end" grep -qx 'calls without an end in the log, and so without a duration: 1' \
            <(show_of log.db remark)
    done
    import_as log.db "$data/ok/syscalls-raw.txt"
    expect "raw: of which processor" grep -q 'names are those of x86-64$' <(show_of log.db remark)
    import_as log.db "$data/ok/syscalls.txt"
    listing log.db | head -n 2 >got.txt
    printf '%s\n' '0.000000000 [3517 dd] openat(dfd: 0xffffff9c, filename: 0x7ffd, flags: 0, mode: 0) = -1 ENOENT <0.000005000>' \
        '0.000020000 [3518 dd] read(fd: 3, buf: 0x7ffd3880, count: 0x1000), 4095 bytes = 4095 <0.000018000>' >wanted.txt
    check "syscalls.txt: dump" wanted.txt got.txt
}

files() {
    import_as log.db "$data/ok/files.txt"
    calls_of log.db >got.tsv
    check "files.txt" "$data/expected/files.tsv" got.tsv
    check_derived files.txt log.db
    expect "files.txt: layers" grep -q '^calls of several layers' <(show_of log.db remark)
}

# calls_of_layer LAYER: name, calls, total ns of each call of layers.txt, by the raw lines.
calls_of_layer() {
    awk -v layer="$1" '
        function end(name) { calls[name]++; total[name] += time - began[name] }
        function begin(name) { began[name] = time }
        /^#/ { next }
        { time = substr($4, 1, 4) * 1000000 + substr($4, 6, 6) }
        layer == "syscall" && $5 ~ /^sys_.*\(/ { sub(/^sys_/, "", $5); sub(/\(.*/, "", $5); begin($5) }
        layer == "syscall" && $6 == "->" { end(substr($5, 5)) }
        layer == "jbd2" && $5 == "jbd2_start_commit:" { begin("commit") }
        layer == "jbd2" && $5 == "jbd2_end_commit:" { end("commit") }
        layer == "ext4" && $5 == "ext4_da_write_begin:" { begin("write") }
        layer == "ext4" && $5 == "ext4_da_write_end:" { end("write") }
        layer == "ext4" && $5 == "ext4_sync_file_enter:" { begin($9 == 77 ? "fdatasync" : "fsync") }
        layer == "ext4" && $5 == "ext4_sync_file_exit:" { end($9 == 77 ? "fdatasync" : "fsync") }
        END { for (name in calls) print name "\t" calls[name] "\t" 1000 * total[name] }' \
        "$data/ok/layers.txt" | sort
}

# rows_of ARGUMENT…: rows of a report of log.db, without lines that begin with #.
rows_of() {
    tracetool -d log.db report "$@" --format tsv | grep -v '^#'
}

# Layers tell the same calls, and are not added up.
layers() {
    local layer report
    import_as log.db "$data/ok/layers.txt"
    for layer in syscall ext4 jbd2; do
        calls_of_layer "$layer" >wanted.txt
        rows_of syscalls --layer "$layer" | cut -f 1,2,4 | sort >got.txt
        check "layers.txt: $layer" wanted.txt got.txt
    done
    { calls_of_layer ext4 && calls_of_layer jbd2; } | sort >wanted.txt
    rows_of syscalls --layer jbd2 --layer ext4 | cut -f 1,2,4 | sort >got.txt
    check "layers.txt: two layers that do not overlap" wanted.txt got.txt
    printf 'bytes written\t40960\ncalls fsync\t10\ncalls pwrite64\t40\nevents\t50\n' >wanted.txt
    rows_of summary | grep -E '^(bytes written|calls .*|events)	' | sort >got.txt
    check "layers.txt: summary" wanted.txt got.txt
    # Each report says so and is that of system calls, but for counts of the whole log.
    for report in $(tracetool -q reports --format tsv | grep -v '^#' | cut -f 1 | sort -u); do
        tracetool -q -d log.db report "$report" >got.txt 2>said.txt || continue
        expect "layers.txt: report $report" grep -qx \
            '# calls of layer syscall (50); left out: ext4 (60), jbd2 (10); --layer chooses' got.txt
        tracetool -q -d log.db report "$report" --layer syscall >wanted.txt
        check "layers.txt: report $report --layer syscall" wanted.txt got.txt
    done
    printf 'layer\text4: 60 calls\nlayer\tjbd2: 10 calls\nlayer\tsyscall: 50 calls\n' >wanted.txt
    tracetool -d log.db show log --format tsv | grep '^layer	' >got.txt
    check "layers.txt: show" wanted.txt got.txt
    expect "layers.txt: dump" [ "$(tracetool -d log.db dump | grep -cv '^#')" = 120 ]
    expect "layers.txt: two that overlap" grep -q 'tell the same calls' \
        <(tracetool -d log.db report syscalls --layer syscall --layer ext4 2>&1)
    # The tracer `function` tells no system calls.
    import_as log.db "$data/ok/functions.txt"
    expect "functions.txt: no system calls" grep -q 'needs a trace where value means result' \
        <(tracetool -d log.db report syscalls 2>&1)
}

# Block I/O and system calls of one log have one clock, and each tells what was lost.
two_kinds() {
    rm -f log.db
    tracetool -q -d log.db import -n both "$data/ok/together.txt" || fail "together.txt"
    calls_of log.db >got.tsv
    check "together.txt: calls" "$data/expected/together.tsv" got.tsv
    tracetool -d log.db dump -t both.io | grep -v '^#' >got.txt
    listing text.db >wanted.txt
    check "together.txt: block I/O" wanted.txt got.txt
    check_derived together.txt log.db
    tracetool -d log.db report popularity --format tsv | grep -o ', [0-9]* lost$' >got.txt
    printf ', 5 lost\n, 5 lost\n' >wanted.txt
    check "together.txt: losses" wanted.txt got.txt
}

# What is told of blocks is kept, and no event.
told_blocks() {
    import_as log.db "$data/ok/allocations.txt"
    sqlite3 -tabs log.db "SELECT number, time, device, what, inode, ifnull(mode, ''), block, count FROM allocation" >got.tsv
    check "allocations.txt: what is kept" "$data/expected/allocations.tsv" got.tsv
    ignored log.db >got.txt
    printf 'event that %s\t%d\n' 'is not read' 1 'says whose blocks are, kept for map' 21 >wanted.txt
    check "allocations.txt: the ledger" wanted.txt got.txt
    expect "allocations.txt: I/Os are the events" [ "$(sqlite3 log.db 'SELECT events FROM trace')" = 2 ]
    check_derived allocations.txt log.db
    expect "allocations.txt: damaged ones are found" [ "$(sqlite3 log.db "UPDATE allocation SET what = 'x' WHERE number = 3";
        tracetool -d log.db check 2>&1 | grep -c 'whose blocks are')" = 1 ]
    tracetool -d log.db remove log >/dev/null 2>&1
    expect "allocations.txt: they go with their trace" [ "$(sqlite3 log.db 'SELECT count(*) FROM allocation')" = 0 ]
}

# gaps NAME WANTED FILE…: the times over which nothing is known of blocks, in ms, when these files are
# one trace.
gaps() {
    local name=$1 wanted=$2 file

    shift 2
    rm -rf log.db pieces && mkdir pieces
    for file; do { echo '# tracer: nop' && cat "$file"; } >"pieces/$file"; done
    tracetool -q -d log.db import -n log pieces || fail "gaps, $name: import"
    sqlite3 log.db "SELECT what, CAST(round(time / 1e6) AS INTEGER) FROM allocation
        WHERE what IN ('lost', 'regained') ORDER BY time, number" | tr '\n' ' ' | sed 's/ $//' >got.txt
    expect "gaps, $name: '$(cat got.txt)' are '$wanted'" [ "$(cat got.txt)" = "$wanted" ]
}

# told CPU TIME TEXT; at TIME…: I/Os of CPU 0.
told() { printf 'dd-3517 [00%d] ..... %.6f: %s\n' "$@"; }
at() { for time; do told 0 "$time" "block_rq_issue: 7,1 W 4096 () 11360 + 8 be,0,4 [dd]"; done; }
given() { told 0 "$1" "ext4_allocate_blocks: dev 7,1 ino 50 flags HINT_DATA len 8 block 1420 lblk 0"; }
overwritten() { printf '# tracer: nop\n# entries-in-buffer/entries-written: 4/9   #P:2\n'; }

# What is known of blocks does not outlast what was not recorded, or could not be read.
blocks_unknown() {
    local line

    { given 10.0; at 10.5; } >a.txt
    { at 100.0 100.5; } >b.txt
    gaps "between two files" "lost|500 regained|90000" a.txt b.txt
    { given 10.0; at 10.5; overwritten; at 100.0 100.5; } >a.txt
    gaps "a further recording in a file, overwritten" "lost|500 lost|500 regained|90000 regained|90000" a.txt
    { overwritten; at 20.0; told 1 20.7 "sched_switch: x"; at 21.0; } >b.txt
    { given 10.0; at 10.5; } >a.txt
    gaps "overwritten, on another CPU for longer" "lost|500 lost|500 regained|10000 regained|10700" a.txt b.txt
    { given 10.0; at 10.5 14.0 18.0; } >a.txt
    { told 1 12.0 "sched_switch: x"; told 1 13.0 "sched_switch: x"; told 1 19.0 "sched_switch: x"; } >b.txt
    gaps "files side by side" "" a.txt b.txt
    { given 10.0; at 10.5 14.0 18.0; } >a.txt
    { overwritten; told 1 12.0 "sched_switch: x"; told 1 13.0 "sched_switch: x"; } >b.txt
    gaps "overwritten, of files side by side" "lost|0 regained|2000" a.txt b.txt
    while IFS= read -r line; do
        { given 10.0; at 11.0; echo "$line"; at 12.0 13.0; } >a.txt
        gaps "'$line'" "lost|1000 regained|2000" a.txt
    done <<'END'
dd-3517 [000] ..... 12345: ext4_free_blocks: dev 7,1 ino 50 mode 0100644 block 1420 count 8 flags
dd-3517 [000] ..... 11.000001: ext4_free_blo
dd-3517 [000] ..... 11.000001: ext4_free_blocks: dev 7,1 ino 50 mode 0100644 block 14
dd-3517 [000] ..... 11.000001: ext4_free_inode: dev 7,1 in
dd-3517 [000] .... ext4_free_blocks: dev 7,1 ino 50 mode 0100644 block 1420 count 8 flags
END
    { given 10.0; at 11.0; head -c 2000000 /dev/zero | tr '\0' x; echo; at 12.0; } >a.txt
    gaps "a line too long" "lost|1000 regained|2000" a.txt
    # Times go back by more than sorting mends, which has 256 of these events ahead.
    { given 10.0; for i in {100..500}; do at "14.$i"; done; for i in {100..900}; do at "12.$i"; done; at 15.0; } >a.txt
    gaps "recordings that overlap" "lost|2100 regained|4244" a.txt
}

# --- functions and marks --------------------------------------------------------------------------

# spans_of DATABASE [COLUMN…]: time, duration, who, what, how deep.
spans_of() {
    sqlite3 -readonly -tabs "$1" "SELECT ${2:-e.time}, ifnull(e.duration, ''), a.tid, a.name, n.text, e.depth
        FROM event AS e JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor
        ORDER BY e.time, a.tid, e.depth"
}

graphs() {
    local form

    for form in graph graph-trace-cmd; do
        import_as log.db "$data/ok/$form.txt"
        spans_of log.db >got.tsv
        check "$form.txt" "$data/expected/graph.tsv" got.tsv
        check_derived "$form.txt" log.db
        expect "$form.txt: nothing is rejected" [ "$(show_of log.db rejected)" = 0 ]
    done
    expect "graph: what was returned" [ "$(sqlite3 log.db "SELECT count(*) FROM event WHERE CAST(arguments AS TEXT) LIKE '%ret=0x%'")" -gt 10 ]
    # Without times, all but these.
    import_as log.db "$data/ok/graph-bare.txt"
    spans_of log.db 0 | sort >got.tsv
    sed 's/^[0-9]*/0/' "$data/expected/graph.tsv" | sort >wanted.tsv
    check "graph-bare.txt" wanted.tsv got.tsv
    expect "graph-bare.txt: laid out" grep -q '^the log has no times' <(show_of log.db remark)
    check_derived graph-bare.txt log.db
}

# graph_of WHAT: standard input is a log of the tracer function_graph; got.tsv is its calls in the order
# of the log with caller, duration and self time.
graph_of() {
    { echo '# tracer: function_graph' && cat; } >graph.txt
    import_as log.db graph.txt
    sqlite3 -readonly -tabs log.db "SELECT a.name, n.text, ifnull(c.text, ''), ifnull(e.duration, ''),
            coalesce(e.self, e.duration, '')
        FROM event AS e JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor
        LEFT JOIN event AS p ON p.id = e.parent LEFT JOIN name AS c ON c.id = p.operation ORDER BY e.id" >got.tsv
    expect "$1: check" tracetool -q -d log.db check
    printf '%s\n' "${@:2}" >wanted.tsv
    check "$1" wanted.tsv got.tsv
}

# Figures by hand, of what the log prints.
graph_durations() {
    graph_of "idle tasks: a thread for each CPU" '<idle>/0	do_idle		10000	9000' \
        '<idle>/1	do_idle		100000	99000' '<idle>/0	tick_0	do_idle	1000	1000' '<idle>/1	tick_1	do_idle	1000	1000' <<'END'
 100.000001 |   0)    <idle>-0     |               |  do_idle() {
 100.000002 |   1)    <idle>-0     |               |  do_idle() {
 100.000003 |   0)    <idle>-0     |   1.000 us    |    tick_0();
 100.000005 |   1)    <idle>-0     |   1.000 us    |    tick_1();
 100.000011 |   0)    <idle>-0     | + 10.000 us   |  }
 100.000102 |   1)    <idle>-0     | ! 100.000 us  |  }
END
    expect "idle tasks: total" [ "$(rows log.db report functions | grep do_idle)" = 'do_idle	2	110000	108000	10000	55000	100000	0.981818' ]
    graph_of "a thread that changes its CPU, without times" 'dd	busy		1000000000	1000000000' \
        'cat	a		60000	8000' 'cat	schedule	a	50000	50000' 'cat	leaf	a	2000	2000' <<'END'
 1)    dd-43      | $ 1000000 us  |  busy();
 0)    cat-42     |               |  a() {
 0)    cat-42     |               |    schedule() {
 1)    cat-42     | + 50.000 us   |    } /* schedule */
 1)    cat-42     |   2.000 us    |    leaf();
 1)    cat-42     | + 60.000 us   |  } /* a */
END
    graph_of "begins cut to microseconds" 'cat	parent		1700	800' 'cat	child	parent	900	900' <<'END'
 100.000001 |   0)    cat-42     |               |  parent() {
 100.000002 |   0)    cat-42     |   0.900 us    |    child();
 100.000003 |   0)    cat-42     |   1.700 us    |  }
END
    graph_of "without tasks, before the first switch" 'cat	read_a		500000	499000' \
        'cat	leaf_a	read_a	1000	1000' 'dd	leaf_b		2000	2000' <<'END'
 0)               |  read_a() {
 0)   1.000 us    |    leaf_a();
 0)    cat-42   =>    dd-43
 0)   2.000 us    |  leaf_b();
 0)    dd-43   =>    cat-42
 0) ! 500.000 us  |  }
END
}

# The indentation tells the callers behind a loss; what has no end has no duration, and its callees are
# left out of its caller's self time.
graph_losses() {
    graph_of "behind a loss, at the root" 'cat	a			' 'cat	b	a		' 'cat	c		1000	1000' 'cat	c		1000	1000' <<'END'
 100.000001 |   0)    cat-42     |               |  a() {
 100.000003 |   0)    cat-42     |               |    b() {
 CPU:0 [LOST 12 EVENTS]
 101.000000 |   0)    cat-42     |   1.000 us    |  c();
 101.001000 |   0)    cat-42     |   1.000 us    |  c();
END
    graph_of "behind a loss, inside of a call" 'cat	a		1600000	1594000' 'cat	b	a		' \
        'cat	d	b	5000	5000' 'cat	c	a	1000	1000' <<'END'
 100.000001 |   0)    cat-42     |               |  a() {
 100.000003 |   0)    cat-42     |               |    b() {
 100.000004 |   0)    cat-42     |   5.000 us    |      d();
CPU:0 [LOST 12 EVENTS]
 100.001000 |   0)    cat-42     |   1.000 us    |    c();
 100.001601 |   0)    cat-42     | # 1600.000 us |  }
END
    expect "calls without an exit: said" grep -q '^# without an exit of their own, and so without a duration: 1 calls$' \
        <(tracetool -d log.db report functions --format tsv)
}

functions() {
    import_as log.db "$data/ok/functions.txt"
    listing log.db >got.txt
    printf '%s\n' '0.000000000 [50 dd] vfs_read(<-ksys_read)' '0.000002000 [50 dd] ext4_file_read_iter([ext4] <-vfs_read)' \
        '0.000003000 [50 dd] sys_read(<-do_syscall_64)' >wanted.txt
    check "functions.txt: dump" wanted.txt got.txt
    check_derived functions.txt log.db
}

# By hand: 40 draws a frame for 8 µs, of which measuring takes 4; 41 never ends.
marks() {
    import_as log.db "$data/ok/marks.txt"
    spans_of log.db >got.tsv
    printf '%s\n' '1000	8000	40	RenderThread	draw frame|late	0' '3000	4000	40	RenderThread	measure	1' \
        '4000		41	RenderThread	draw frame|late	0' '15000		40	RenderThread	open	0' >wanted.tsv
    check "marks.txt" wanted.tsv got.tsv
    printf 'end of a mark or function whose begin is not in the log\t1\nmark that is neither a begin nor an end\t1\n' >wanted.tsv
    ignored log.db >got.tsv
    check "marks.txt: what is ignored" wanted.tsv got.tsv
    check_derived marks.txt log.db
}

# mark_line MICROSECOND MARK
mark_line() {
    printf ' app-10 (   10) [000] ...1. 100.%06d: tracing_mark_write: %s\n' "$1" "$2"
}

# Kernels before Android 4.4 call the event 0, and trace-cmd prints it as `print`: the same rows.
old_marks() {
    local event

    import_as log.db "$data/ok/marks.txt"
    spans_of log.db >wanted.tsv
    for event in '0:' 'print: tracing_mark_write:' 'print:'; do
        sed "s/ tracing_mark_write:/ $event/" "$data/ok/marks.txt" >marks.ftrace
        import_as log.db marks.ftrace
        spans_of log.db >got.tsv
        check "marks of '$event'" wanted.tsv got.tsv
        expect "marks of '$event': none is an event that is not read" [ "$(ignored log.db | grep -c 'not read')" = 0 ]
    done
    printf ' app-10 [000] 100.%06d: print: %s\n' 1 'B|10|name: x' 2 'my_driver: state 3' 3 'tracing_mark_write: E|10' >print.ftrace
    import_as log.db print.ftrace
    expect "what else is printed is not read" grep -q '^events that are not read: print 1$' <(show_of log.db remark)
}

# What html is around a trace: page_of DOCTYPE.
page_of() {
    cat <<END
$1
<html><head><title>Android System Trace</title>
<script>
  var begin = /^  <script class="trace-data" type="application\/text">\$/;
  function f() { return 1; }
</script>
</head><body>
  <script class="trace-data" type="application/text">
$(cat "$data/ok/marks.txt")
  </script>
</body></html>
END
}

# The word DOCTYPE may be in any letters, and the viewer's own scripts are no log.
pages() {
    local doctype

    import_as log.db "$data/ok/marks.txt"
    spans_of log.db >wanted.tsv
    for doctype in '<!DOCTYPE HTML>' '<!DOCTYPE html>' '<!doctype html>' '<!DocType Html>'; do
        page_of "$doctype" >page.html
        import_as log.db page.html
        spans_of log.db >got.tsv
        check "page: $doctype" wanted.tsv got.tsv
        expect "page: $doctype: no script is a line of the log" [ "$(show_of log.db rejected)" = 0 ]
    done
}

# Text before the columns is part of no task's name: the log is refused, and the error shows it.
# prefixed WHAT SHOWN: prefixed.txt is such a log.
prefixed() {
    local format

    for format in '' '-f ftrace'; do
        rm -f log.db
        # shellcheck disable=SC2086 # an option and its word, or none
        tracetool -q -d log.db import $format prefixed.txt 2>got.txt
        expect "$1 $format: refused" [ $? = 1 -a ! -e log.db ]
        expect "$1 $format: said" grep -qF "lines begin with text that is not ftrace's, the first with \"$2\": cut it off" got.txt
    done
}

text_before() {
    local log="$work/padded.txt"

    awk 'BEGIN { for (i = 0; i < 40; i++)
        printf "%16s-%-7d [%03d] ...1. 100.%06d: sys_enter: NR 3 (1, 2, 3)\n", i % 3 ? "dd of" : "kworker/0:1H", 10 + i % 3, i % 2, i }' >"$log"
    import_as log.db "$log"
    expect "tasks without text before them: 3 threads" [ "$(sqlite3 -readonly log.db 'SELECT count(*) FROM actor')" = 3 ]
    cat -n "$log" >prefixed.txt
    prefixed "cat -n" '     1\t'
    grep -n . "$log" >prefixed.txt
    prefixed "grep -n" '1:'
    sed 's/^/> /' "$log" >prefixed.txt
    prefixed "quoted" '> '
    sed 's/^/11-24 03:27:00.123  1000  1000 I atrace: /' "$log" >prefixed.txt
    prefixed "logcat" '11-24 03:27:00.123  1000  1000 I atrace:'
    sed 's/.*/{"log":"&\\n","stream":"stdout"}/' "$log" >prefixed.txt
    prefixed "docker's JSON" '{"log":"'
    sed 's/^ *//; s/^/> /' "$log" >prefixed.txt
    prefixed "quoted, not aligned" '>'
    # Perfetto writes longer names of main threads, and trace-cmd the file of a line.
    sed 's/^ *dd of/com.android.systemui:rcs/' "$log" >long.ftrace
    import_as log.db long.ftrace
    sed 's/^/trace.dat: /' "$log" >file.ftrace
    import_as log.db file.ftrace
}

# perf script -F comm,pid,tid,time,event,trace: no CPU, and the process before the thread.
perf_without_cpu() {
    printf '%16s %5d/%-5d 5991.%06d: raw_syscalls:sys_%s\n' \
        jbd2/loop0-8 512 512 1 'enter: NR 0 (3, 7f0, 10)' dd 51512 51513 2 'enter: NR 1 (4, 7f0, 20)' \
        jbd2/loop0-8 512 512 4 'exit: NR 0 = 16' dd 51512 51513 8 'exit: NR 1 = 32' >perf.ftrace
    import_as log.db perf.ftrace
    expect "perf without CPUs: nothing is rejected" [ "$(show_of log.db rejected)" = 0 ]
    sqlite3 -readonly -separator ' ' log.db "SELECT n.text, a.pid, a.tid, a.name, e.duration, e.size FROM event AS e
        JOIN name AS n ON n.id = e.operation JOIN actor AS a ON a.id = e.actor ORDER BY e.id" >got.tsv
    printf '%s\n' 'read 512 512 jbd2/loop0-8 3000 16' 'write 51512 51513 dd 6000 32' >wanted.tsv
    check "perf without CPUs" wanted.tsv got.tsv
}

# A mark without a name has an end of its own; so have those that are too deep, of which there are two here.
odd_marks() {
    local i

    { mark_line 0 'B|10|outer' && mark_line 1000 'B|10|' && mark_line 2000 'E|10' && mark_line 900000 'E|10'; } >nameless.ftrace
    import_as log.db nameless.ftrace
    spans_of log.db >got.tsv
    printf '%s\n' '0	900000000	10	app	outer	0' '1000000	1000000	10	app		1' >wanted.tsv
    check "a mark without a name" wanted.tsv got.tsv
    for ((i = 0; i < 258; i++)); do mark_line "$i" "B|10|n$i"; done >deep.ftrace
    for ((i = 257; i >= 0; i--)); do mark_line $((1000 - i)) 'E|10'; done >>deep.ftrace
    import_as log.db deep.ftrace
    for ((i = 0; i < 256; i++)); do printf '%d\t%d\t10\tapp\tn%d\t%d\n' "${i}000" "$((1000 - 2 * i))000" "$i" "$i"; done |
        sed 's/^0*\([0-9]\)/\1/' >wanted.tsv
    spans_of log.db >got.tsv
    check "marks that are too deep" wanted.tsv got.tsv
    expect "marks that are too deep are told, with their ends" [ "$(sqlite3 -readonly log.db 'SELECT rejected FROM trace')" = 4 ]
}

# How many were lost may not be known.
unknown_loss() {
    printf '%s\n' '# tracer: function_graph' ' 0)   cat-42    |               |  a() {' \
        'CPU:0 [LOST EVENTS]' ' 0)   cat-42    |   1.000 us    |  c();' >lost.ftrace
    import_as log.db lost.ftrace
    expect "a loss without a number: one at least" grep -q ', 1 lost$' <(tracetool -d log.db report functions --format tsv)
    expect "a loss without a number is no damage" [ "$(show_of log.db rejected)" = 0 ]
}

# With tracing_thresh ends are all there is: points, which is said.
ends_alone() {
    printf '%s\n' '# tracer: function_graph' ' 0) ! 166.010 us  |      } /* vfs_read */' \
        ' 0) ! 170.010 us  |    } /* ksys_read */' ' 0) ! 180.010 us  |  } /* do_syscall_64 */' >thresh.ftrace
    import_as log.db thresh.ftrace
    expect "ends alone are points" [ "$(sqlite3 -readonly log.db 'SELECT count(*), count(duration) FROM event')" = '3|0' ]
    expect "ends alone: said" grep -q '^functions whose begin is not in the log, .*: 3$' <(show_of log.db remark)
}

# A later recording with a lower uptime is before the first event: kept, with times below 0, and said.
later_recording() {
    local time i

    {
        printf ' dd-10 (   10) [000] ...1. 500.%06d: block_bio_queue: 8,0 W %d + 8 [dd]\n' 0 100 100000 108
        for time in 600 20; do
            for ((i = 0; i < 600; i++)); do
                printf ' dd-10 (   10) [000] ...1. %d.%06d: block_bio_queue: 8,0 W %d + 8 [dd]\n' "$time" "$i" "$((8 * i))"
            done
        done
    } >later.ftrace
    import_as log.db later.ftrace
    expect "a later recording is kept" \
        [ "$(sqlite3 -readonly log.db 'SELECT rejected, events, first_time FROM trace')" = '0|1202|-480000000000' ]
    expect "a later recording is said to be read where it stands" grep -q ', and read where they stand: 600 records$' <(show_of log.db remark)
}

# Durations are microseconds: none are added to units of a counter.
counted_graph() {
    printf ' sh-7282  [001]  %s: funcgraph_%s\n' 9223372036854775000 'entry:                   |  f() {' \
        9223372036854775100 'exit:       + 20.000 us  |  }' \
        9223372036854775200 'entry:        0.500 us   |    g();' >counter.ftrace
    import_as log.db counter.ftrace
    spans_of log.db >got.tsv
    printf '%s\n' '0	100	7282	sh	f	0' '200	0	7282	sh	g	0' >wanted.tsv
    check "a graph with a counter" wanted.tsv got.tsv
    expect "a graph with a counter: said" grep -q '^functions that called none have the duration 0, .*: 1$' <(show_of log.db remark)
}

# What ../shared/data/ftrace/expected.md says.
synthetic_graph() {
    import_as log.db "$samples/function_graph.synthetic.txt"
    sqlite3 -readonly -tabs log.db "SELECT n.text, ifnull(e.duration, ''), ifnull(p.text, '')
        FROM event AS e JOIN name AS n ON n.id = e.operation LEFT JOIN event AS c ON c.id = e.parent
        LEFT JOIN name AS p ON p.id = c.operation ORDER BY e.id" >got.tsv
    printf '%s\n' 'leaf_before	1250	' 'began_before		' 'vfs_read	166010	' 'dput.part.0	151	vfs_read' \
        'ext4_file_read_iter	163500	vfs_read' 'io_schedule	150000	ext4_file_read_iter' \
        'do_nanosleep	1000131000	' 'fput		' 'task_work_add		fput' >wanted.tsv
    check "function_graph.synthetic.txt" wanted.tsv got.tsv
    expect "function_graph.synthetic.txt: lost" grep -q ', 12 lost$' \
        <(tracetool -d log.db report functions --format tsv)
    expect "function_graph.synthetic.txt: an event inside" grep -q '^events that are not read: sched_switch 1$' \
        <(show_of log.db remark)
}

# --- damage -------------------------------------------------------------------------------------------

refused_logs() {
    expect "what is not read is said" grep -q 'without an event that is read: sched_waking 3$' \
        <(tracetool -d none.db import "$data/fail/unread.txt" 2>&1)
    expect "block_io_done alone is said" grep -q 'that is read; block_io_done does not tell which sectors' \
        <(tracetool -d none.db import "$data/fail/accounted.txt" 2>&1)
    expect "atrace -z is said" grep -q 'atrace -z has packed' \
        <(tracetool -d none.db import "$data/fail/packed.txt" 2>&1)
}

# --- the samples beside the checkout --------------------------------------------------------------------

# actions DATABASE: how many of each.
actions() {
    sqlite3 -tabs "$1" "SELECT n.text, count(*) FROM event AS e JOIN name AS n ON n.id = e.operation
        WHERE n.kind = 'action' GROUP BY 1 ORDER BY 1"
}

# One run, seen by the tracer blk and by block events.
seen_twice() {
    printf '%s\n' 'A	348' 'C	340' 'D	314' 'G	289' 'I	279' 'M	86' 'Q	359' 'X	16' >wanted.tsv
    import_as log.db "$samples/both.txt"
    actions log.db >got.tsv
    check "both.txt: events" wanted.tsv got.tsv
    grep -v ' block_' "$samples/both.txt" >traced.txt
    import_as traced.db traced.txt
    actions traced.db | grep -v '^[PU]' >got.tsv
    check "both.txt: the tracer blk" wanted.tsv got.tsv
    # The tracer's clock is read a moment before or behind the event's: all but times. It gives a flush
    # that completes the sector 0, the event gives it none.
    for db in log traced; do
        listing $db.db | cut -d' ' -f 2- | grep -v '^[PU]T* ' | sed 's/ latency .*//; s/^C FN 0 + 0 /C FN + 0 /' | sort >$db.txt
    done
    check "both.txt: the same requests" traced.txt log.txt
    report traced.db rw >wanted.tsv
    check_rows "both.txt" wanted.tsv log.db rw
}

# One recording with and without columns.
same_recording() {
    import_as text.db "$samples/block-tgid.txt"
    import_as log.db "$samples/block-notgid.txt"
    check_same "block-notgid.txt"
    # Microseconds since the first event are cut off, not those of either time.
    import_as log.db "$samples/block-lat.txt"
    for db in text log; do
        sqlite3 -tabs $db.db "SELECT e.time, n.text, e.flags, e.address, e.size, e.value
            FROM event AS e JOIN name AS n ON n.id = e.operation ORDER BY e.id" >$db.tsv
    done
    paste text.tsv log.tsv | awk -F'\t' '{ d = $1 - $7 } d < -1000 || d > 1000 || $2 $3 $4 $5 $6 != $8 $9 $10 $11 $12' >got.txt
    expect "block-lat.txt: the same, within a microsecond" [ "$(wc -l <text.tsv)" = "$(wc -l <log.tsv)" -a ! -s got.txt ]
}

# block_events FILE: actions by the names of events, of a device without bio_complete.
block_events() {
    grep -v '^#' "$1" | grep -o 'block_[a-z_]*:' | awk '
        BEGIN { split("bio_queue Q getrq G rq_insert I rq_issue D rq_complete C bio_remap A" \
            " bio_backmerge M split X plug P unplug U", words, " ")
            for (i = 1; i in words; i += 2) letter["block_" words[i] ":"] = words[i + 1] }
        $1 in letter { n[letter[$1]]++ }
        END { for (a in n) print a "\t" n[a] }' | sort
}

# Figures by grep over the page.
android_page() {
    local page=$shared/data/layers/android_systrace.html.zst

    if [ ! -e "$page" ]; then
        skip "there is no $page"
        return
    fi
    zstd -dcq "$page" >android.html
    import_as log.db android.html
    expect "android_systrace.html: begins" [ "$(sqlite3 -readonly log.db 'SELECT count(*) FROM event WHERE NOT flags & 2')" = \
        "$(grep -c '[0-9]: 0: B|' android.html)" ]
    # A thread's end closes what it has open.
    expect "android_systrace.html: ends" [ "$(sqlite3 -readonly log.db 'SELECT count(duration) FROM event')" = \
        "$(sed -n 's/^.*-\([0-9]*\) *\[[0-9]*\] .*[0-9]: 0: \([BE]\).*/\1 \2/p' android.html |
            awk '$2 == "B" { open[$1]++ } $2 == "E" && open[$1] > 0 { open[$1]--; n++ } END { print n }')" ]
}

all_samples() {
    local file

    if [ ! -e "$samples" ]; then
        skip "there is no $samples"
        return
    fi
    seen_twice
    same_recording
    synthetic_graph
    for file in block block-noirq block-tgid block-lat trace-cmd-report perf-script; do
        import_as log.db "$samples/$file.txt"
        expect "$file.txt: nothing is rejected" [ "$(sqlite3 log.db 'SELECT sum(rejected) FROM trace')" = 0 ]
        block_events "$samples/$file.txt" >wanted.tsv
        actions log.db >got.tsv
        check "$file.txt: actions" wanted.tsv got.tsv
    done
    for file in ext4 syscalls raw_syscalls; do
        import_as log.db "$samples/$file.txt"
        expect "$file.txt: nothing is rejected" [ "$(show_of log.db rejected)" = 0 ]
    done
    # Pairs of lines, by awk: what a thread begins is what it ends next.
    import_as log.db "$samples/raw_syscalls.txt"
    sed -n 's/.*-\([0-9]*\) *\[[0-9]*\] [^ ]* *\([0-9]*\)\.\([0-9]*\): sys_\([a-z]*\): NR \([0-9]*\)[^=]*\(= \)*\(.*\)/\1 \2\3 \4 \5 \7/p' \
        "$samples/raw_syscalls.txt" | awk '
            NR == 1 { base = $2 }
            $3 == "enter" { began[$1] = $2; number[$1] = $4 }
            $3 == "exit" && $1 in began && number[$1] == $4 {
                print ($2 - began[$1]) * 1000 "\t" ($5 < 0 ? -1 : $5)
                delete began[$1]
            }' | sort >wanted.tsv
    sqlite3 -tabs log.db 'SELECT duration, value FROM event WHERE duration IS NOT NULL' | sort >got.tsv
    check "raw_syscalls.txt: durations and results, by awk" wanted.tsv got.tsv
    expect "raw_syscalls.txt: some" [ "$(wc -l <got.tsv)" -gt 20 ]
    android_page
    import_as kept.db "$samples/block.txt"
    check_refused "$samples/sched.txt"
    check_refused "$samples/perf-trace.negative.txt"
}

made_anew "${1:-}"
all_forms
with_wall_clock
what_is_said
losses
others
pieces
system_calls
files
layers
two_kinds
told_blocks
blocks_unknown
graphs
graph_durations
graph_losses
functions
marks
old_marks
pages
text_before
perf_without_cpu
odd_marks
unknown_loss
ends_alone
later_recording
counted_graph
refused_logs
all_samples
finish "ftrace: "
