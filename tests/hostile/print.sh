# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # nothing in a name is to be expanded; variables of and for the other parts of hostile.sh
# Everything that prints: each report with each option, in every format.

# Values that an option is tried with, a line each, as text for bytes().
values_of() {
    case $1 in
    mark) trace_name most && echo ;;
    against) trace_name samples && echo ;;
    function) printf 'c.d.%s\n' "${names[4]}" ;;
    within | root) echo 'c.d.m03`>pwned`' && printf 'a.%s.b\n' "${names[4]}" ;;
    *) registered option "$1" | sed 's/.*|//' | tr ' ' '\n' ;; # 400 intervals, which heatmap takes, are a century
    esac
}

# variant ARGUMENT…: a line with TABs between.
variant() {
    local IFS=$'\t'

    printf '%s\n' "$*"
}

# traces_of KIND…: the options that choose the traces of these kinds, with TABs between.
traces_of() {
    local format kind

    while IFS=$'\t' read -r format kind; do
        [[ " $* " != *" $kind "* ]] || variant -t "$(trace_name "$format")"
    done <formats.txt | paste -s
}

# refuses TRACES REPORT WORD…: whether the log of one of the traces does not state what the report shows.
refuses() {
    local options

    split "$1"
    options=("${arguments[@]}")
    # shellcheck disable=SC2086 # may be several words
    $TRACETOOL report "${@:2}" "${options[@]}" 2>&1 >/dev/null | grep -q 'not in the log of trace'
}

# traces_for KINDS REPORT WORD…: as traces_of, of the logs that state what the report shows.
traces_for() {
    local format kind traces

    # shellcheck disable=SC2086 # a word a kind
    traces=$(traces_of $1)
    if refuses "$traces" "${@:2}"; then
        traces=$(while IFS=$'\t' read -r format kind; do
            [[ " $1 " != *" $kind "* ]] || refuses "$(variant -t "$(trace_name "$format")")" "${@:2}" ||
                variant -t "$(trace_name "$format")"
        done <formats.txt | paste -s)
    fi
    printf '%s\n' "$traces"
}

# list_report NAME TRACES OPTIONS WORD…: a report alone, and with each of its options.
list_report() {
    local name=$1 traces=$2 option value values

    # Without the reference, or another option, that it needs, a report is wrong usage.
    [[ $3 == *reference* || "$3 ${*:4}" == per-thread\ --interval* ]] || variant report "$name" "${@:4}" "$traces"
    for option in $3; do
        mapfile -t values < <(values_of "$option")
        if [ "$option" = corrected ]; then
            # Only some logs know of what to correct their times by.
            traces=$(variant -t "$(trace_name rmp)")
        fi
        if [[ $3 == *reference* && $option != reference ]]; then
            variant report "$name" --reference reference.txt "--$option" "$traces"
            continue
        fi
        [ "${#values[@]}" -gt 0 ] || variant report "$name" "${@:4}" "--$option" "$traces"
        for value in "${values[@]}"; do
            variant report "$name" "${@:4}" "--$option" "$value" "$traces"
        done
    done
}

# The reports as `tracetool reports` lists them.
list_reports() {
    local name kinds when options words

    tracetool reports --format csv | sed '1d; s/""//g' | sort -u |
        while IFS=, read -r name kinds when options _; do
            read -r -a words <<<"${when% (default)}"
            # What a file of a report is chosen by may be an option with a value.
            if [ "${#words[@]}" -eq 1 ]; then
                mapfile -t -O 1 words < <(values_of "${words[0]#--}" | head -n 1)
            fi
            case "$name $kinds $when" in
            'modules calls'* | loggable* | *--without-top)
                list_report "$name" "$(variant -t "$(trace_name palmist)")" "$options" "${words[@]}"
                ;;
            # Only some logs have files and results, and fewer have times.
            'rw calls'* | 'files calls'* | 'errors calls'* | 'syscalls calls'* | 'returns calls'* | \
                'locality calls'* | 'amplification calls'* | 'alignment calls'* | 'footprint calls'* | \
                'reuse calls'* | 'rewrites calls'* | 'workingset calls'* | *' calls --of process' | \
                *' calls --of thread' | 'rate calls --by thread')
                list_report "$name" "$(variant -t "$(trace_name mobigen)")" "$options" "${words[@]}"
                ;;
            'waits calls'* | 'latency calls'* | 'percentiles calls'*)
                ! grep -q '^strace' formats.txt ||
                    list_report "$name" "$(variant -t "$(trace_name strace)")" "$options" "${words[@]}"
                ;;
            'files io '* | *' io --by file')
                list_report "$name" "$(variant -t "$(trace_name most)")" "$options" "${words[@]}"
                ;;
            # Only some logs have two clocks.
            blocked*)
                list_report "$name" "$(variant -t "$(trace_name android-trace)")" "$options" "${words[@]}"
                ;;
            # Only some logs say who dispatched.
            *'--by issuer'*)
                list_report "$name" "$(variant -t "$(trace_name most)" -t "$(trace_name blkparse)")" \
                    "$options" "${words[@]}"
                ;;
            *) list_report "$name" "$(traces_for "$kinds" "$name" "${words[@]}")" "$options" "${words[@]}" ;;
            esac
        done | sort -u
}

# A trace of each kind beside itself: by every report that fits, and by names.
list_comparisons() {
    local format kind trace

    while IFS=$'\t' read -r format kind; do
        trace=$(trace_name "$format")
        variant compare "$trace" "$trace"
        [[ $kind = samples || $kind = results ]] || variant compare "$trace" "$trace" popularity
        [ "$kind" != spans ] || variant compare "$trace" "$trace" functions --strip hex
        [ "$kind" != spans ] || variant compare "$trace" "$trace" calltree
        [ "$kind" != io ] || variant compare "$trace" "$trace" latency --by file
    done < <(sort -u -k 2,2 formats.txt)
}

list_variants() {
    local table format

    list_reports
    list_comparisons
    variant dump
    variant traces
    variant reports
    variant formats
    while IFS=$'\t' read -r format _; do
        variant show "$(trace_name "$format")"
    done <formats.txt
    while IFS= read -r table; do
        variant sql "SELECT * FROM \"$table\""
    done < <(sqlite3 traces.db 'SELECT name FROM sqlite_schema WHERE type IN ("table", "view")')
    # Names of columns come from the query.
    variant sql "SELECT 1 AS \"m90\\x1b[31;5;7m\\n\\t\`>pwned\`\", name FROM actor"
}

# split VARIANT: its arguments into ${arguments[@]}.
split() {
    local fields field

    arguments=()
    IFS=$'\t' read -r -a fields <<<"$1"
    for field in "${fields[@]}"; do
        # SQL has no escapes but those meant here.
        printf -v field %b "$field"
        arguments+=("$field")
    done
    [ "${arguments[0]}" != report ] || arguments+=(--by-trace)
}

# A variant as one reads it, without its traces.
label() {
    printf '%s' "${1//$'\t'/ }" | sed 's/ -t [^(]*//' | cut -c 1-120
}

# is_turn NUMBER FORMAT: the forms of a report are printed by turns, for each has one printer for all
# reports: tsv always, which the others are compared
# with, and of the others one by one; with HOSTILE=all all of them.
is_turn() {
    local turn=0 format=${2/%jsonl/json} # they are looked at beside one another

    [ "${HOSTILE:-}" != all ] || return 0
    case $format in tsv | gnuplot | folded) return 0 ;; esac
    while [ "${formats[turn]}" != "$format" ]; do ((turn++)); done
    [ $(((turn + $1) % ${#formats[@]})) -eq 0 ]
}

# run_variant NUMBER VARIANT: by turns in every format, into out/NUMBER.FORMAT. Only reports have pictures, and
# not all; folded is for one.
run_variant() {
    local number=$1 arguments format status

    split "$2"
    for format in "${formats[@]}"; do
        is_turn "$number" "$format" || continue
        case "$format ${arguments[0]} ${arguments[1]:-}" in
        'gnuplot report '* | 'gnuplot compare '* | 'folded report calltree') ;;
        gnuplot* | folded*) continue ;;
        esac
        # Of pictures of comparisons, all rows.
        case "$format ${arguments[0]}" in
        'gnuplot compare') tracetool "${arguments[@]}" --top 1000000 --format gnuplot >"out/$number.gnuplot" ;;
        *) tracetool "${arguments[@]}" --format "$format" >"out/$number.$format" ;;
        esac
        status=$?
        if [ $status -ne 0 ]; then
            rm -f "out/$number.$format"
            tail -n 1 "$messages" >"$messages.last"
            case "$format $(cat "$messages.last")" in
            'gnuplot tracetool: report '*' has no picture') ;;
            'gnuplot tracetool: a comparison by report '*' has no picture'*) ;;
            'gnuplot tracetool: the picture of calltree of two traces is an SVG'*) ;;
            *) fail "$(label "$2") --format $format: status $status" "$messages.last" ;;
            esac
        fi
    done
    [ "${arguments[0]}" != dump ] || tracetool dump >"out/$number.dump"
}

# Every second variant.
run_share() {
    local number

    for ((number = $1; number < ${#variants[@]}; number += 2)); do
        run_variant $number "${variants[number]}"
    done
}

# With HOSTILE=some, every fourth report.
some_variants() {
    if [ "${HOSTILE:-}" = some ]; then
        awk '!/^report/ || NR % 4 == 1'
    else
        cat
    fi
}

run_variants() {
    printf 'm03`>pwned`\t1\na.m61.b\t2\n' >reference.txt
    tried_formats >formats.txt
    tracetool reports --format nosuch
    read -r -a formats < <(tail -n 1 "$messages" | sed -n 's/.*there are \(.*\);.*/\1/p')
    expect "output formats" [ "${#formats[@]}" -ge 8 ]
    mapfile -t variants < <(list_variants | some_variants)
    expect "reports are listed" [ "${#variants[@]}" -ge 60 ]
    start even run_share 0
    start odd run_share 1
    collect even odd
}
