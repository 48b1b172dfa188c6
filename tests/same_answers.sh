# shellcheck shell=bash
# Compares answers about a log with those of a database into which it was imported.
#
#     same_answers LOG [STEP]     all reports that fit, or every STEPth, and other commands on logs

# Lists the kinds of a database's traces.
kinds_of() {
    tracetool -d "$1" traces --format tsv 2>/dev/null | awk -F '\t' '!/^#/ { print $NF }' | sort -u
}

# same WHAT DATABASE TRACE LOG COMMAND…: compares the command on both; LOG follows it for the direct query, TRACE
# (if not empty) for the database.
same() {
    local what=$1 database=$2 trace=$3 log=$4
    shift 4
    tracetool -q -d "$database" "$@" ${trace:+"$trace"} >wanted.txt 2>wanted.err
    echo "status $?" >>wanted.txt
    tracetool -q "$@" "$log" >got.txt 2>got.err
    echo "status $?" >>got.txt
    if cmp -s wanted.txt got.txt; then pass; else fail "$what" <(diff -a wanted.txt got.txt | head -n 5); fi
}

same_answers() {
    local log=$1 name kinds when format kind trace number=0 formats
    rm -f asked.db
    tracetool -q -d asked.db import --again "$log" >/dev/null 2>&1 || return 0
    read -r -a formats < <(tracetool reports --format none 2>&1 | sed -n 's/.*there are \([^;]*\);.*/\1/p')
    [ ${#formats[@]} -gt 5 ] || fail "the list of output formats"
    for kind in $(kinds_of asked.db); do
        while IFS='|' read -r name kinds when; do
            case " $kinds " in *" $kind "*) ;; *) continue ;; esac
            [ $((number++ % ${2:-1})) -eq 0 ] || continue
            format=${formats[number % ${#formats[@]}]}
            # shellcheck disable=SC2086 # words of an option
            same "$log: report $name $when as $format" asked.db "" "$log" report "$name" $when --format "$format"
        done < <(tracetool reports --format tsv | awk -F '\t' '!/^#/ {
            sub(/ \(default\)/, "", $3)
            print $1 "|" $2 "|" $3
        }')
    done
    for format in "${formats[@]}"; do
        same "$log: summary as $format" asked.db "" "$log" report summary --format "$format"
    done
    same "$log: overview" asked.db "" "$log" overview --format json
    same "$log: dump" asked.db "" "$log" dump
    same "$log: sql" asked.db "" "$log" sql 'SELECT * FROM event'
    trace=$(tracetool -d asked.db sql 'SELECT min(name) FROM trace' --format tsv | tail -n 1)
    tracetool -q -d asked.db show "$trace" >wanted.txt 2>&1
    [ "$(wc -l <wanted.txt)" -gt 5 ] || fail "$log: show prints the trace" wanted.txt
    [ "$(tracetool -d asked.db sql 'SELECT count(*) FROM trace' --format tsv | tail -n 1)" -eq 1 ] || return 0
    while read -r format; do
        same "$log: export as $format" asked.db "$trace" "$log" export --as "$format"
    done < <(tracetool exports --format tsv | awk -F '\t' '!/^#/ { print $1 }')
    same "$log: show" asked.db "$trace" "$log" show
    same "$log: baseline" asked.db "$trace" "$log" baseline
}
