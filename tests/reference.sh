#!/bin/bash
# Compares what the program says with figures it had no part in: the generator's own counts of the
# calls it played, awk over the raw lines of MOST logs, and plain SQL over the table `event`.
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

palmist=$root/testdata/palmist
most=$root/testdata/most

# --- (a), (b) Palmist logs against the generator's counts -----------------------------------------

# The generator lists a long timeline's first and last 100 rows only.
check_timeline() {
    report "$3" timeline >all.tsv
    if [ "$(wc -l <all.tsv)" -ge 1000 ]; then
        { head -n 100 all.tsv && tail -n 100 all.tsv; } >got.tsv
    else
        mv all.tsv got.tsv
    fi
    check "$1: timeline" "$2" got.tsv
}

# check_calls WHAT EXPECTED-FOLDER DATABASE TOP: TOP is how many gaps are listed there.
check_calls() {
    check_rows "$1" "$2/popularity.tsv" "$3" popularity
    check_rows "$1" "$2/popularity-application.tsv" "$3" popularity --of application
    check_rows "$1" "$2/argsize.tsv" "$3" argsize
    check_rows "$1" "$2/hourly.tsv" "$3" hourly
    check_rows "$1" "$2/gaps.tsv" "$3" gaps --top "$4"
    check_rows "$1" "$2/sequences-2.tsv" "$3" sequences --top 50
    check_rows "$1" "$2/sequences-3.tsv" "$3" sequences --length 3 --top 50
    check_timeline "$1" "$2/timeline.tsv" "$3"
    check_summary "$1" "$2/summary.tsv" "$3"
}

# Everything the program says of a trace, but for the size and name of its file.
write_everything() {
    local report

    for report in popularity "popularity --of application" argsize hourly gaps sequences \
        "sequences --length 3" timeline summary; do
        echo "== $report"
        # shellcheck disable=SC2086 # a report and its options
        tracetool -d "$1" report --format tsv $report
    done | grep -v '^log size' >"$2"
    tracetool -d "$1" dump >>"$2"
}

# check_carriers KIND FOLDER EXPECTED TOP: one log, four ways to write it, one answer. What the first
# gives is compared with the figures, what the others give with the first.
check_carriers() {
    local carrier

    for carrier in .pdb .raw -padded.raw .txt; do
        import_as "$1$carrier.db" "$2/$1$carrier"
        check_derived "$1$carrier" "$1$carrier.db"
        write_everything "$1$carrier.db" "$1$carrier.everything"
    done
    check_calls "$1.pdb" "$3" "$1.pdb.db" "$4"
    for carrier in .raw -padded.raw .txt; do
        check "$1$carrier says what $1.pdb says" "$1.pdb.everything" "$1$carrier.everything"
    done
}

full_size_logs() {
    common_options=(-c "$palmist/demo.yaml")
    "$GENERATE" full full || fail "the generator"
    check_carriers representative full full/expected/representative 50
    check_carriers pinemark-text full full/expected/pinemark-text 50
    check_published_figures
    common_options=()
}

# What the thesis says of its two sessions (palmist.md), straight from the reports.
check_published_figures() {
    {
        report representative.pdb.db summary | grep -E '^(events|operations seen)'
        report representative.pdb.db popularity --top 10 | awk -F'\t' 'END { printf "%.2f\n", $5 }'
        report pinemark-text.pdb.db summary | grep '^events'
        report pinemark-text.pdb.db popularity --of application |
            awk -F'\t' '/Pinemark/ { sum += $3 } END { print sum }'
        report pinemark-text.pdb.db popularity --top 10 | awk -F'\t' 'END { print ($5 > 0.65) }'
    } >got.txt
    printf '%s\t%s\n' events 68608 "operations seen" "296 of 735" >wanted.txt
    printf '0.50\nevents\t185361\n177589\n1\n' >>wanted.txt
    check "published figures" wanted.txt got.txt
    for kind in representative pinemark-text; do
        report $kind.pdb.db popularity | cut -f2 >names.txt
        for name in SysLibTblEntry BmpGetBits BmpColortableSize WinClipRectangle RctCopyRectangle; do
            expect "$kind: $name is among the first ten" \
                grep -qx $name <(head -n 10 names.txt)
        done
    done
}

# Other ways to write the small log must change nothing.
small_logs() {
    check_carriers small "$palmist/ok" "$palmist/expected/small" 1000
    import_as empty.db "$palmist/ok/empty-records.raw"
    check_calls empty-records "$palmist/expected/small" empty.db 1000
    import_as other.db "$palmist/ok/other-record-size.raw" --record-size 32768
    check_calls other-record-size "$palmist/expected/small" other.db 1000
    import_as reset.db "$palmist/ok/reset.raw"
    check_calls reset "$palmist/expected/reset" reset.db 1000
    check_derived reset reset.db
}

# --- (d) MOST logs against awk over their lines --------------------------------------------------

by_awk() {
    LC_ALL=C awk -v report="$1" -f "$tests/most.awk" "$2"
}

check_most() {
    local name=${1##*/} report

    import_as "$name.db" "$1"
    for report in rw blocktype filetype popularity hourly timeline; do
        by_awk $report "$1" >wanted.tsv
        check_rows "$name" wanted.tsv "$name.db" $report
    done
    by_awk gaps "$1" >wanted.tsv
    check_rows "$name" wanted.tsv "$name.db" gaps --by completion
    by_awk summary "$1" >wanted.tsv
    printf 'log size\t%d\n' "$(wc -c <"$1")" >>wanted.tsv
    check_summary "$name" wanted.tsv "$name.db"
    by_awk rw-remarks "$1" >wanted.txt
    tracetool -d "$name.db" report rw --format tsv | grep -E '^# (writes per|no data)' >got.txt
    check "$name: remarks of rw" wanted.txt got.txt
    check_derived "$name" "$name.db"
    check_sql "$name" "$name.db"
}

most_logs() {
    local report

    for report in "$most"/expected/small/*.tsv; do
        by_awk "$(basename "$report" .tsv)" "$most/small.po" >got.tsv
        check "small.po: awk and $(basename "$report")" "$report" got.tsv
    done
    check_most "$most/small.po"
    if [ -e "$shared/data/most/result.po" ]; then
        check_most "$shared/data/most/result.po"
        check_block_io result.po "$shared/data/most/result.po" result.po.db
    else
        skip "result.po: there is no $shared/data/most"
    fi
}

# --- (e) plain SQL over the events ----------------------------------------------------------------

# check_query WHAT DATABASE SQL REPORT [OPTION…]
check_query() {
    sqlite3 -readonly -tabs "$2" "$3" >wanted.tsv 2>&1
    check_rows "$1 (by SQL)" wanted.tsv "$2" "${@:4}"
}

check_sql() {
    local completed="chosen AS (SELECT e.*, o.type FROM event AS e JOIN name AS n
        ON n.id = e.operation LEFT JOIN object AS o ON o.id = e.object WHERE n.text = 'C')"

    check_query "$1" "$2" "WITH $completed, class(id, name, place) AS (VALUES (0, 'read', 1),
        (1, 'readsync', 2), (2, 'write', 3), (3, 'writesync', 4), (5, 'flush', 5), (4, 'other', 6))
        SELECT name, count(chosen.id), printf('%.6f', 1.0 * count(chosen.id) /
            (SELECT count(*) FROM chosen)), ifnull(sum(size), 0),
            printf('%.6f', 1.0 * ifnull(sum(size), 0) / (SELECT sum(size) FROM chosen))
        FROM class LEFT JOIN chosen ON flags & 7 = class.id GROUP BY class.id ORDER BY place" rw
    check_query "$1" "$2" "WITH $completed SELECT type,
        sum(flags & 7 = 0), sum(flags & 7 = 1), sum(flags & 7 = 2), sum(flags & 7 = 3),
        sum(flags & 7 = 5), sum(flags & 7 = 4), count(*), printf('%.6f', 1.0 * count(*) / (SELECT count(*) FROM chosen)),
        sum(size), printf('%.6f', 1.0 * sum(size) / (SELECT sum(size) FROM chosen))
        FROM chosen GROUP BY type ORDER BY count(*) DESC, type" filetype
    check_query "$1" "$2" "WITH $completed, counted AS (SELECT ifnull(a.name, '') AS process,
        ifnull(type, '') AS type, flags & 7 AS class, size FROM chosen AS c
        LEFT JOIN actor AS a ON a.id = c.actor)
        SELECT process, type, sum(class = 0), sum(class = 1), sum(class = 2), sum(class = 3),
        sum(class = 5), sum(class = 4), count(*), printf('%.6f', 1.0 * count(*) /
            (SELECT count(*) FROM counted AS o WHERE o.process = c.process)), sum(size),
        printf('%.6f', 1.0 * sum(size) /
            (SELECT nullif(sum(size), 0) FROM counted AS o WHERE o.process = c.process))
        FROM counted AS c GROUP BY process, type ORDER BY process, count(*) DESC, type" filetype-process
    check_query "$1" "$2" "WITH chosen AS (SELECT n.text, count(*) AS n FROM event JOIN name AS n
        ON n.id = operation GROUP BY n.text),
        ranked AS (SELECT row_number() OVER (ORDER BY n DESC, text) AS rank, * FROM chosen)
        SELECT rank, text, n, printf('%.6f', 1.0 * n / (SELECT count(*) FROM event)),
            printf('%.6f', 1.0 * (SELECT sum(n) FROM ranked AS r WHERE r.rank <= ranked.rank) /
                (SELECT count(*) FROM event)) FROM ranked ORDER BY rank" popularity
}

sql_over_calls() {
    local database=small.txt.db

    check_query small.txt $database "SELECT size, count(*),
        printf('%.6f', 1.0 * count(*) / (SELECT count(*) FROM event)),
        printf('%.6f', 1.0 * (SELECT count(*) FROM event AS f WHERE f.size <= event.size) /
            (SELECT count(*) FROM event)) FROM event GROUP BY size" argsize
    check_query small.txt $database "SELECT hour, sum(hour = h),
        printf('%.6f', 1.0 * sum(hour = h) / (SELECT count(*) FROM event)) FROM
        (SELECT time / 3600000000000 AS h FROM event), (SELECT DISTINCT time / 3600000000000 AS hour
        FROM event) GROUP BY hour ORDER BY hour" hourly
    check_query small.txt $database "SELECT printf('%d.%09d', time / 1000000000, time % 1000000000),
        code, text FROM event JOIN name ON name.id = operation ORDER BY event.id" timeline
    check_query small.txt $database "WITH pair AS (SELECT a.time AS s, b.time AS e FROM event AS a
        JOIN event AS b ON b.id = a.id + 1 WHERE b.time > a.time)
        SELECT s, e, e - s
        FROM pair ORDER BY e - s DESC, s" gaps
    check_query reset reset.db "WITH step AS (SELECT actor, n.text || ' > ' || lead(n.text) OVER
        (PARTITION BY actor ORDER BY event.id) AS sequence FROM event
        JOIN name AS n ON n.id = operation),
        counted AS (SELECT sequence, count(*) AS n FROM step WHERE sequence IS NOT NULL GROUP BY 1)
        SELECT row_number() OVER (ORDER BY n DESC, sequence), sequence, n,
            printf('%.6f', 1.0 * n / (SELECT sum(n) FROM counted)) FROM counted ORDER BY 1" sequences
}

full_size_logs
small_logs
sql_over_calls
most_logs
finish "reference: "
