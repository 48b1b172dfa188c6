#!/bin/bash
# Reports over system calls against what strace itself and awk find in the same logs, and against what
# SQLite is known to write. Recordings are made here, where strace may trace and sqlite3 is there.
#
#     BUILD=build tests/syscalls.sh        SHARED names the folder beside the checkout, if elsewhere
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

# summary_of LOG: the rows of strace's own table (-C): call, calls, errors, microseconds.
summary_of() {
    awk -v OFS='\t' '/^% time/ { table = 1; next } /^-/ { next }
        table && $NF != "total" { print $NF, $4, NF == 6 ? $5 : 0, int($2 * 1e6 + 0.5) }' "$1" |
        LC_ALL=C sort
}

# ended LOG: call, process ID, error (-: none) and nanoseconds of each call that returned.
ended() {
    awk -v OFS='\t' '
        / = \?( <[0-9.]*>)?$/ || !/ <[0-9.]+>$/ { next }
        {
            name = $3
            if (name == "<...") name = $4
            sub(/\(.*/, "", name)
            error = "-"
            if (match($0, / = (-1|\?) E[A-Z0-9_]+/)) {
                error = substr($0, RSTART, RLENGTH)
                sub(/.* /, "", error)
            }
            time = $NF
            gsub(/[<>]/, "", time)
            split(time, part, ".")
            print name, $1, error, part[1] * 1000000000 + substr(part[2] "000000000", 1, 9)
        }' "$1"
}

# ranks: of lines of a group and a value, count, sum, least, mean, percentiles and largest.
ranks() {
    LC_ALL=C sort -t "$(printf '\t')" -k 1,1 -k 2,2n | awk -F'\t' -v OFS='\t' '
        function rank(share) { k = int(share * n); return value[k < share * n ? k + 1 : k] }
        function done() {
            if (n > 0) print name, n, sum, value[1], int((2 * sum + n) / (2 * n)), rank(0.5), rank(0.9),
                rank(0.99), value[n]
        }
        $1 != name { done(); name = $1; n = sum = 0 }
        { value[++n] = $2; sum += $2 }
        END { done() }' | LC_ALL=C sort
}

# kept_recording: what strace counted of the very run, in a log without the durations of all calls.
kept_recording() {
    local log=$shared/data/strace/f-C.strace

    if [ ! -e "$log" ]; then
        skip "there is no f-C.strace"
        return
    fi
    import_as kept.db "$log"
    summary_of "$log" | cut -f 1-3 >wanted.tsv
    report kept.db syscalls | cut -f 1-3 | LC_ALL=C sort >got.tsv
    check "f-C: syscalls" wanted.tsv got.tsv
}

# A run of several processes: strace's own table with -w is of the times that -T prints.
recorded() {
    if ! strace -o probe.txt true 2>/dev/null; then
        skip "strace is not there, or may not trace"
        return
    fi
    # shellcheck disable=SC2016 # the shell that is traced expands
    strace -f -C -w -y -ttt --syscall-times=ns -o run.txt sh -c \
        'ls -l /etc >/dev/null; cat /etc/passwd /nowhere >/dev/null; sleep 0.01 & wait; wc -c </etc/passwd' \
        >/dev/null 2>&1
    import_as run.db run.txt
    summary_of run.txt >wanted.tsv
    report run.db syscalls | awk -F'\t' -v OFS='\t' '{ print $1, $2, $3, int($4 / 1000 + 0.5) }' |
        LC_ALL=C sort >got.tsv
    check "run: syscalls, as strace has it" wanted.tsv got.tsv
    ended run.txt >ended.tsv
    cut -f 1,4 ended.tsv | ranks >wanted.tsv
    report run.db syscalls | cut -f 1,2,4-9,10 | LC_ALL=C sort >got.tsv
    check "run: syscalls, by awk" wanted.tsv got.tsv
    report run.db syscalls --from 0 | cut -f 1,2,4-9,10 | LC_ALL=C sort >got.tsv
    check "run: syscalls --from 0, by awk" wanted.tsv got.tsv
    cut -f 2,4 ended.tsv | ranks >wanted.tsv
    report run.db syscalls --by process | cut -f 1,2,4-9,10 | sed 's/ [^\t]*//' | LC_ALL=C sort >got.tsv
    check "run: syscalls --by process, by awk" wanted.tsv got.tsv
    awk -F'\t' -v OFS='\t' '{ all[$2, $1]++ } $3 != "-" { n[$2 OFS $1 OFS $3]++ }
        END { for (key in n) { split(key, k, OFS); print key, n[key], all[k[1], k[2]] } }' ended.tsv |
        LC_ALL=C sort >wanted.tsv
    report run.db errors --by process | cut -f 1-5 | sed 's/ [^\t]*//' | LC_ALL=C sort >got.tsv
    check "run: errors --by process, by awk" wanted.tsv got.tsv
    awk -F'\t' -v OFS='\t' '$1 == "wait4" { n++; sum += $4; most = $4 > most ? $4 : most }
        END { print "wait4", n, sum, most }' ended.tsv >wanted.tsv
    report run.db waits | awk -F'\t' -v OFS='\t' '$2 == "process" && $3 == "wait4" { print $3, $4, $5, $6 }' >got.tsv
    check "run: waits, by awk" wanted.tsv got.tsv
}

# The table of what three inserts write: mode, file, writes, bytes, flushes.
known_writes() {
    printf '%s\t%s\t%d\t%d\t%d\n' "$1" journal "$2" "$3" "$4" "$1" database "$5" "$6" "$7"
}

table_of_modes() {
    case $1 in
    DELETE) known_writes DELETE 24 26196 6 6 24576 3 ;;
    TRUNCATE) known_writes TRUNCATE 24 26196 9 6 24576 3 ;;
    PERSIST) known_writes PERSIST 27 26280 9 6 24576 3 ;;
    WAL) known_writes WAL 7 12392 5 1 4096 1 | sed 's/journal/wal/' ;;
    esac
}

# amplification_is MODE WHAT DATABASE: of three transactions of the mode, those writes, and the bytes of
# each.
amplification_is() {
    table_of_modes "$1" | sort >wanted.tsv
    report "$3" amplification --payload 100 >rows.tsv
    cut -f 2,3,5-7 rows.tsv | awk -F'\t' '$2 ~ /^(journal|wal|database)$/' | sort >got.tsv
    check "$2: amplification" wanted.tsv got.tsv
    awk -F'\t' -v OFS='\t' '{ sum += $4 } END { printf "3\t%d\t%.6f\t%.6f\n", sum, sum / 3, sum / 300 }' \
        wanted.tsv >each.tsv
    awk -F'\t' -v OFS='\t' '$3 == "all files" && $4 > 0 { print $4, $6, $9, $10 }' rows.tsv >got.tsv
    check "$2: bytes a transaction" each.tsv got.tsv
}

sqlite() {
    local mode version

    for mode in DELETE TRUNCATE PERSIST WAL; do
        awk -v mode=$mode -f "$tests/sqlite_calls.awk" >$mode.txt
        import_as $mode.db $mode.txt
        amplification_is $mode "SQLite's calls, $mode" $mode.db
    done
    version=$(sqlite3 --version 2>/dev/null)
    if [[ $version != 3.40.* ]] || ! strace -o probe.txt true 2>/dev/null; then
        skip "sqlite3 3.40 is not there, or strace may not trace it"
        return
    fi
    for mode in DELETE TRUNCATE PERSIST WAL; do
        sqlite3 $mode.live "PRAGMA page_size = 4096; PRAGMA journal_mode = $mode;
            CREATE TABLE t (id INTEGER PRIMARY KEY, x);" >/dev/null
        printf "INSERT INTO t (x) VALUES ('%0100d');\n" 1 2 3 >inserts.sql
        strace -f -ttt -T -o live.txt sqlite3 $mode.live "PRAGMA journal_mode = $mode" \
            "$(cat inserts.sql)" >/dev/null
        import_as live.db live.txt
        amplification_is $mode "SQLite recorded, $mode" live.db
    done
}

# Of five transactions of a.db one is rolled back after its pages were written early, and one goes on behind a
# ROLLBACK TO; the last is on two databases.
spilled() {
    local version

    version=$(sqlite3 --version 2>/dev/null)
    if [[ $version != 3.40.* ]] || ! strace -o probe.txt true 2>/dev/null; then
        skip "rollbacks recorded: sqlite3 3.40 is not there, or strace may not trace it"
        return
    fi
    strace -f -ttt -T -y -o live.txt sqlite3 spill.db 'PRAGMA cache_size = 10;
        CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB);
        INSERT INTO t SELECT value, randomblob(3000) FROM generate_series(1, 60);
        BEGIN; UPDATE t SET b = randomblob(3000); ROLLBACK;
        BEGIN; UPDATE t SET b = randomblob(3000) WHERE a < 30; SAVEPOINT s;
        UPDATE t SET b = randomblob(3000); ROLLBACK TO s; COMMIT;
        ATTACH "other.db" AS o; CREATE TABLE o.u (x);
        BEGIN; INSERT INTO o.u VALUES (1); UPDATE t SET b = 0 WHERE a = 1; COMMIT'
    import_as spill.traces live.txt
    report spill.traces amplification >rows.tsv
    printf '4\t%d\n' "$(grep -c 'pwrite64.*-mj[0-9A-F]*>' live.txt)" >wanted.tsv
    awk -F'\t' -v OFS='\t' '$1 ~ /spill.db$/ && $3 == "super-journal" { print $4, $5 }' rows.tsv >got.tsv
    check "a rollback after pages were written early, and a super-journal" wanted.tsv got.tsv
}

kept_recording
recorded
sqlite
spilled
finish "syscalls: "
