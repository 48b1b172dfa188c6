# shellcheck shell=bash
# Compares answers about a log with those of a database into which it was imported.
#
#     same_answers LOG [STEP [FORMAT]]     all reports that fit the log of this format, in all output formats, and other
#                                          commands on logs; with STEP only every STEPth report, each in one format
#     same_formats PART PARTS              the same for the largest good log of every format, of these the PARTth of PARTS

# same WHAT DATABASE TRACE LOG FORMATS COMMAND…: compares the command's stdout on both with each of the words FORMATS;
# LOG and $as follow it for the direct query, TRACE (if not empty) for the database. A usage error is a fault of the test,
# unless the trace does not suit the report.
same() {
    local what=$1 database=$2 trace=$3 log=$4 formats=$5 format
    shift 5
    for format in $formats; do
        tracetool -q -d "$database" "$@" ${trace:+"$trace"} "$format" >&3 2>wanted.err
        echo "$format: status $?" >&3
        tracetool -q "$@" "$log" ${as:+"$as"} "$format" >&4 2>got.err
        echo "$format: status $?" >&4
    done 3>wanted.txt 4>got.txt
    if cmp -s wanted.txt got.txt &&
        { ! grep -aq 'status [^01]$' got.txt || grep -q 'does not take\|needs --\|is for traces of\|is of one log of' got.err; }; then
        pass
    else
        fail "$what" <(diff -a wanted.txt got.txt | head -n 5 | cat - got.err)
    fi
}

same_answers() {
    local log=$1 as=${3:+--input-format=$3} name kinds when kind trace number=0 formats chosen
    rm -f asked.db
    printf 'unit: mJ\nread: 1\n' >weights.yaml
    if ! tracetool -q -d asked.db import --again "$log" ${as:+"$as"} >import.txt 2>&1; then
        fail "$log: import" import.txt
        return
    fi
    read -r -a formats < <(tracetool reports --format none 2>&1 | sed -n 's/.*there are \([^;]*\);.*/\1/p')
    [ ${#formats[@]} -gt 5 ] || fail "the list of output formats"
    formats=("${formats[@]/#/--format=}")
    [ "${formats[-1]}" = --format=folded ] && unset 'formats[-1]' # of two reports
    set -f                                                        # the value of an option is *
    for kind in $(tracetool -d asked.db sql 'SELECT DISTINCT kind FROM trace' --format tsv | grep -v '^#'); do
        while IFS='|' read -r name kinds when; do
            case " $kinds " in *" $kind "*) ;; *) continue ;; esac
            [ $((number++ % ${2:-1})) -eq 0 ] || continue
            chosen=${formats[*]}
            case $name in calltree | chain) chosen+=" --format=folded" ;; esac
            [ -z "${2:-}" ] || chosen=${formats[(number + ${turn:-0}) % ${#formats[@]}]}
            # shellcheck disable=SC2086 # words of an option
            case $when in --*\ *) ;; --*) when+=" $(registered option "${when#--}" | sed 's/.*|//; s/ .*//')" ;; esac
            # shellcheck disable=SC2086
            same "$log: report $name $when ${2:+as $chosen}" asked.db "" "$log" "$chosen" report "$name" $when
        done < <(tracetool reports --format tsv | awk -F '\t' '!/^#/ {
            sub(/ \(default\)/, "", $3)
            print $1 "|" $2 "|" $3
        }')
    done
    set +f
    [ $number -gt 3 ] || fail "$log: reports of its kinds"
    same "$log: overview" asked.db "" "$log" "--format=tsv --format=latex" overview
    same "$log: dump" asked.db "" "$log" "${formats[*]}" dump
    same "$log: sql" asked.db "" "$log" "${formats[*]}" sql 'SELECT * FROM event'
    trace=$(tracetool -d asked.db sql 'SELECT min(name) FROM trace' --format tsv | tail -n 1)
    tracetool -q -d asked.db show "$trace" >wanted.txt 2>&1
    [ "$(wc -l <wanted.txt)" -gt 5 ] || fail "$log: show prints the trace" wanted.txt
    [ "$(tracetool -d asked.db sql 'SELECT count(*) FROM trace' --format tsv | tail -n 1)" -eq 1 ] || return 0
    while read -r format; do
        same "$log: export as $format" asked.db "$trace" "$log" -q export --as "$format"
    done < <(tracetool exports --format tsv | awk -F '\t' '!/^#/ { print $1 }')
    same "$log: show" asked.db "$trace" "$log" "${formats[*]}" show
    same "$log: baseline" asked.db "$trace" "$log" -q baseline
}

# The styles know nothing of the log: all of them for a log of calls and one of block I/O, in turn for the others.
same_formats() {
    local format turn=0 done=0
    unset -f tracetool # which starts another process for each of thousands
    while read -r format; do
        if [ $((turn++ % $2)) -eq $(($1 - 1)) ]; then
            case $format in
            strace | blkparse) same_answers "$(good_log "$format" tail)" "" "$format" ;;
            *) same_answers "$(good_log "$format" tail)" 1 "$format" ;;
            esac
            ((++done))
        fi
    done < <(tracetool formats --format tsv | sed '/^#/d; s/\t.*//')
    expect "the list of formats" [ "$turn" -gt 50 -a "$done" -ge $((turn / $2)) ]
}
