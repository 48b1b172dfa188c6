#!/bin/bash
# Exports for replays of system calls: MobiGen's scripts are as Mobibench demands them (a checker of our own),
# and a log, its script and the script imported again agree in threads, calls by kind and bytes; fio's I/O
# logs of calls have what the log transfers where.
#
#     [SHARED=FOLDER] BUILD=build tests/replays.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

export_log() {
    expect "export as $1" tracetool -d log.db export log --as "$1" -o "$2" "${@:3}" 2>said.txt
}

# told REASON: how often it was said.
told() {
    awk -v reason="$1" -F': ' '$0 ~ reason { split($1, words, " "); n += words[4] } END { print n + 0 }' said.txt
}

# Calls by kind and their bytes out of log.db, by SQL: what succeeded, on files. Where no name is known,
# standard input, output and error (0 to 2) are none.
wanted_calls() {
    sqlite3 -readonly -tabs "$1" "WITH word(call, kind) AS (VALUES ('open', 'open'), ('openat', 'open'),
            ('creat', 'open'), ('openat2', 'open'), ('close', 'close'), ('read', 'read'), ('readv', 'read'),
            ('write', 'write'), ('writev', 'write'), ('pread', 'pread'), ('pread64', 'pread'),
            ('pwrite', 'pwrite'), ('pwrite64', 'pwrite'), ('fsync', 'fsync'), ('fdatasync', 'fdatasync'),
            ('access', 'access'), ('faccessat', 'access'), ('faccessat2', 'access'), ('stat', 'stat64'),
            ('stat64', 'stat64'), ('newfstatat', 'stat64'), ('statx', 'stat64'), ('lstat', 'lstat64'),
            ('lstat64', 'lstat64'), ('unlink', 'unlink'), ('unlinkat', 'unlink')), done AS (
        SELECT word.kind, value, o.name AS file, coalesce(CAST(e.arguments AS TEXT), '') AS arguments
        FROM event e JOIN name n ON n.id = e.operation JOIN word ON call = n.text
            JOIN actor a ON a.id = e.actor LEFT JOIN object o ON o.id = e.object WHERE value >= 0
            AND NOT (word.kind LIKE 'p%' AND e.address >= 1 << 31))
        SELECT kind, count(*), sum(iif(kind IN ('read', 'write', 'pread', 'pwrite'), value, 0)) FROM done
        WHERE iif(file IS NULL, kind = 'open' OR kind NOT IN ('access', 'stat64', 'lstat64', 'unlink') AND ( CAST(arguments AS INTEGER) > 2 OR arguments GLOB '0x[3-9a-f]*'
                OR arguments GLOB '0x[0-9a-f][0-9a-f]*'),
            file NOT IN ('pipe', 'socket') AND file NOT GLOB '/dev/*' AND file NOT GLOB 'dev/*'
            AND file NOT GLOB '[^/]*:[[]*') AND arguments NOT GLOB '*AT_REMOVEDIR*'
        GROUP BY kind ORDER BY kind"
}

# agree WHAT: the trace in log.db, its script, and the script imported again. Where descriptors were opened
# is told, and closes of what a thread did not use.
agree() {
    local opened closed

    export_log mobigen out.script
    if ! python3 "$tests/mobibench_script.py" out.script >script.tsv 2>err.txt; then
        fail "$1: what Mobibench demands" err.txt
        return
    fi
    opened=$(told 'where descriptors were opened')
    closed=$(told 'closes of descriptors')
    wanted_calls log.db >wanted.tsv
    grep -v '^threads' script.tsv | awk -F'\t' -v OFS='\t' -v opened="$opened" -v closed="$closed" '
        $1 == "open" { $2 -= opened } $1 == "close" { $2 += closed; closed = 0 } $2 > 0
        END { if (closed) print "close", closed, 0 }' | sort >got.tsv
    check "$1: calls by kind, and bytes" wanted.tsv got.tsv
    rm -f again.db
    [ -s out.script ] || return
    expect "$1: the script is MobiGen's" tracetool -q -d again.db import -n again out.script
    {
        sqlite3 -readonly -tabs again.db "SELECT 'threads', count(*), 0 FROM actor"
        sqlite3 -readonly -tabs again.db "SELECT text, count(*), coalesce(sum(size), 0) FROM event e
            JOIN name n ON n.id = e.operation GROUP BY 1 ORDER BY 1"
    } >again.tsv
    check "$1: the script imported again" script.tsv again.tsv
    expect "$1: every descriptor leads to a file" [ -z "$(sqlite3 -readonly again.db 'SELECT text FROM remark')" ]
    export_log mobigen real.script --real-paths
    expect "$1: with real paths" python3 "$tests/mobibench_script.py" real.script --real-paths >real.tsv
    awk -F'\t' '$1 != "open"' script.tsv >wanted.tsv
    awk -F'\t' '$1 != "open"' real.tsv >got.tsv
    check "$1: with real paths" wanted.tsv got.tsv
}

# What fio's log transfers is what SQL finds where an offset is known; and fio replays it.
fio_transfers() {
    export_log fio out.iolog
    sqlite3 -readonly -tabs log.db "WITH side AS (
            SELECT substr(n.text, 1 + (n.text LIKE 'p%'), 4) AS kind, value, object, address
            FROM event e JOIN name n ON n.id = e.operation
            WHERE n.text IN ('read', 'readv', 'write', 'writev', 'pread', 'pwrite', 'pread64', 'pwrite64')
            UNION ALL SELECT 'read', value, source, source_address FROM event e JOIN name n ON n.id = e.operation
            WHERE n.text IN ('copy_file_range', 'sendfile', 'splice')
            UNION ALL SELECT 'write', value, object, address FROM event e JOIN name n ON n.id = e.operation
            WHERE n.text IN ('copy_file_range', 'sendfile', 'splice')),
        moved AS (SELECT kind, value FROM side JOIN object o ON o.id = side.object
            WHERE value > 0 AND side.address IS NOT NULL AND o.name NOT IN ('pipe', 'socket')
                AND o.name NOT GLOB '/dev/*')
        SELECT iif(kind = 'writ', 'write', kind), count(*), sum(value) FROM moved GROUP BY 1 ORDER BY 1" >wanted.tsv
    awk '$3 == "read" || $3 == "write" { n[$3]++; b[$3] += $5 } END { for (k in n) print k "\t" n[k] "\t" b[k] }' \
        out.iolog | sort >got.tsv
    check "$1: as fio" wanted.tsv got.tsv
    if ! command -v fio >/dev/null; then
        skip "there is no fio"
        return
    fi
    awk '$3 == "add" { print $2 }' out.iolog | xargs -r truncate -s 64K
    fio --name=replay --read_iolog=out.iolog --replay_no_stall=1 --ioengine=psync 2>&1 |
        sed -n 's/.*issued rwts: total=\([0-9,]*\).*/\1/p' >got.txt
    awk '{ n[$3]++ } END { printf "%d,%d,%d,%d\n", n["read"], n["write"], 0, n["sync"] }' \
        out.iolog >wanted.txt
    check "$1: fio replays what is counted" wanted.txt got.txt
    rm -f replay.*
}

samples() {
    local file

    import_as log.db "$root/testdata/mobigen/small.txt"
    agree "small.txt"
    if [ ! -d "$shared/data/strace" ]; then
        skip "no ../shared/data/strace"
        return
    fi
    for file in "$shared"/data/strace/*.strace; do
        import_as log.db "$file"
        agree "${file##*/}"
    done
    import_as log.db "$shared/data/strace/f-C.strace"
    fio_transfers f-C.strace
    import_as log.db "$shared/data/mobigen/mobigen.out.twitter"
    agree mobigen.out.twitter
}

samples
finish "replays: "
