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
graphs
refused_logs
all_samples
finish "ftrace: "
