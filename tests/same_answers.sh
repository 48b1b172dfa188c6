# shellcheck shell=bash
# Compares answers about a log with those of a database into which it was imported.
#
#     same_answers LOG      all reports that fit, and other commands on logs

# Lists the kinds of a database's traces.
kinds_of() {
    tracetool -d "$1" traces --format tsv 2>/dev/null | awk -F '\t' '!/^#/ { print $NF }' | sort -u
}

# same WHAT DATABASE LOG COMMAND…: compares the command on both; LOG follows it for the direct query.
same() {
    local what=$1 database=$2 log=$3
    shift 3
    tracetool -q -d "$database" "$@" >wanted.txt 2>wanted.err
    echo "status $?" >>wanted.txt
    tracetool -q "$@" "$log" >got.txt 2>got.err
    echo "status $?" >>got.txt
    if cmp -s wanted.txt got.txt; then pass; else fail "$what" <(diff wanted.txt got.txt | head -n 5); fi
}

same_answers() {
    local log=$1 name kinds when format kind trace
    rm -f asked.db
    tracetool -q -d asked.db import --again "$log" >/dev/null 2>&1 || return 0
    for kind in $(kinds_of asked.db); do
        while IFS='|' read -r name kinds when; do
            case " $kinds " in *" $kind "*) ;; *) continue ;; esac
            # shellcheck disable=SC2086 # words of an option
            same "$log: report $name $when" asked.db "$log" report "$name" $when --format tsv
        done < <(tracetool reports --format tsv | awk -F '\t' '!/^#/ {
            sub(/ \(default\)/, "", $3)
            print $1 "|" $2 "|" $3
        }')
    done
    for format in table csv json jsonl md html; do
        same "$log: summary as $format" asked.db "$log" report summary --format $format
    done
    same "$log: dump" asked.db "$log" dump
    same "$log: sql" asked.db "$log" sql 'SELECT * FROM event'
    trace=$(tracetool -d asked.db sql 'SELECT min(name) FROM trace' --format tsv | tail -n 1)
    tracetool -q -d asked.db show "$trace" >wanted.txt 2>&1
    [ "$(wc -l <wanted.txt)" -gt 5 ] || fail "$log: show prints the trace" wanted.txt
}
