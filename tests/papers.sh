#!/bin/bash
# Tests docs/papers.md: runs all its commands in order, and compares the output with the column `ours`.
#
#     tests/papers.sh [--renew] [FILE]    --renew writes the actual output into the document: check
#                                         the difference before you keep it
#
# Syntax, in addition to the commands of tests/document.sh:
#
#     | … | `command` | where | ours |
#                        A row of a table with these columns. `command` is one of `tt`, or `-` if
#                        there is none; then `ours` tells why. `where` selects a value of the output:
#                        `row` column. The row is given by its first or second column and following
#                        ones. Rows joined by + are summed. Other forms:
#                        rows       number of rows
#                        #          a remark with these words
#                        line       a line with these words; the command takes no --format
#                        picture    the command draws a picture
#                        drawn      the SVG has these complete texts, separated by ;
#                        stars      the SVG has so many names with a star
#
# `ours` can be replaced by a column for each user of the study and one for both; USER in the command
# is replaced by the user. Empty cells are not run.
#
# A further column `state` is one of: works; waits, with the reason as <!-- waits for … -->, and the
# command is run if there is one; stopwatch and device, which no log contains.
set -u
# shellcheck source=tests/document.sh
. "$(dirname "$0")/document.sh"

if [ "${1:-}" = --renew ]; then
    renew=true
    shift
fi
document=$(realpath "${1:-$root/docs/papers.md}")
cd "$root" || exit 1

# Sections on real logs are skipped if these are missing, as is the list of all traces.
needs_shared() {
    case $1 in
    *../shared* | *"-t result"* | *"-t twitter"* | *"-t ext4"* | *"map ext4"* | *"export twitter"*) return 0 ;;
    *"GROUP BY format ORDER BY"* | *'"ext4"'*) return 0 ;;
    esac
    return 1
}

# --- tables --------------------------------------------------------------------------------------

# value WHERE OURS FILE: prints the value in the tsv file, with the unit and decimals of OURS.
value() {
    LC_ALL=C awk -F'\t' -v where="$1" -v ours="$2" '
        BEGIN {
            n = split(where, part, "`")
            column = part[n]
            gsub(/^ +| +$/, "", column)
            unit = ours
            sub(/^[0-9,.]+ ?/, "", unit)
            decimals = match(ours, /\.[0-9]+/) ? RLENGTH - 1 : 0
            grouped = ours ~ /^[0-9]+,[0-9]/
            factor = unit == "%" ? 100 : unit == "s" ? 1e-9 : unit == "ms" ? 1e-6 : 1
        }
        /^# .*\t/ && !data {
            sub(/^# /, "")
            split("", names)
            for (i = 1; i <= NF; i++) names[$i] = i
            next
        }
        /^#/ || NF < 2 { next }
        { data++ }
        {
            for (r = 2; r < n; r += 2) {
                for (first = 1; first <= 2; first++) {
                    key = ""
                    for (i = first; i <= NF && key != part[r]; i++) {
                        key = key (i > first ? " " : "") $i
                    }
                    if (key == part[r]) { found[first]++; text[first] = $names[column]; sum[first] += $names[column] }
                }
            }
        }
        function group(number,  whole, rest) {
            rest = match(number, /\./) ? substr(number, RSTART) : ""
            whole = rest == "" ? number : substr(number, 1, RSTART - 1)
            while (whole ~ /[0-9][0-9][0-9][0-9]/) sub(/[0-9][0-9][0-9]($|,)/, ",&", whole)
            return whole rest
        }
        END {
            if (where == "rows") { print data; exit }
            if (!(column in names)) { print "no column " column; exit }
            from = found[1] ? 1 : 2
            if (found[from] != int(n / 2)) { print found[from] + 0 " rows of " int(n / 2); exit }
            if (text[from] !~ /^-?[0-9.]+$/) { print text[from]; exit }
            number = sprintf("%." decimals "f", sum[from] * factor)
            print (grouped ? group(number) : number) (unit == "" ? "" : " " unit)
        }' "$3"
}

# Prints the texts of the picture that a command draws, one per line.
picture_texts() {
    sed 's/<[^>]*>/\n/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' "$(eval "echo ${1##*-o }")"
}

# drawn COMMAND TEXTS: prints which of the texts, separated by ;, are in the picture.
drawn() {
    local text rest="$2;" found=""

    picture_texts "$1" >"$work/texts"
    while [ -n "$rest" ]; do
        trim "${rest%%;*}" && text=$trimmed rest=${rest#*;}
        ! grep -qxF -- "$text" "$work/texts" || found+="${found:+; }$text"
    done
    echo "$found"
}

# compare COMMAND WHERE OURS: sets $got to the actual value.
compare() {
    local picture

    case $2 in
    '#') grep '^#' "$output" | grep -qF -- "$3" && got=$3 || got=$(grep '^#' "$output") ;;
    line) grep -qF -- "$3" "$output" && got=$3 || got="no such line" ;;
    picture)
        picture=$(eval "echo ${1##*-o }")
        [ -s "$picture" ] && got=$3 || got="no picture"
        ;;
    drawn) got=$(drawn "$1" "$3") && [ -n "$got" ] || got="no such text" ;;
    stars) got=$(picture_texts "$1" | grep -cE '^\* [^ ]+$') ;;
    *) got=$(value "$2" "$3" "$output") ;;
    esac
    case $got in
    *" rows of "* | "no "*) fail "$1: $2: $got" && got=$3 ;;
    *)
        if $renew || [ "$got" = "$3" ]; then
            pass
        else
            fail "$1: $2 is $got, not $3"
        fi
        ;;
    esac
}

# check_cell COMMAND WHERE OURS
check_cell() {
    local text="tt $1"

    got=$3
    [ -n "$3" ] || return 0
    if lacks_shared "$1"; then
        skip "$1"
        return
    fi
    case $2 in picture | drawn | stars | line) ;; *) text+=" --format tsv" ;; esac
    ! run "$text" || compare "$1" "$2" "$3"
}

# check_state STATE COMMAND ROW
check_state() {
    local why="<!-- waits for "

    case $1 in
    works) expect "$3: a command, for it works" [ "$2" != - ] ;;
    waits) expect "$3: for what it waits" test "${4#*"$why"}" != "$4" ;;
    stopwatch | device) expect "$3: no command" [ "$2" = - ] ;;
    *) fail "$3: a state, not '$1'" ;;
    esac
}

columns=()
cells=()

trim() {
    trimmed=${1#"${1%%[![:space:]]*}"}
    trimmed=${trimmed%"${trimmed##*[![:space:]]}"}
}

# Processes a row of a table; a table's first row has the column names.
table_row() {
    local i rest=${1#|} where="" text="" ours=0 state=""

    cells=()
    while [[ $rest == *'|'* ]]; do
        trim "${rest%%|*}"
        cells+=("$trimmed")
        rest=${rest#*|}
    done
    if [ ${#columns[@]} -eq 0 ]; then
        columns=("${cells[@]}")
        return
    fi
    for i in "${!columns[@]}"; do
        case ${columns[i]} in
        command) trim "${cells[i]//\`/}" && text=$trimmed ;;
        where) where=${cells[i]} ;;
        state) state=${cells[i]%% *} ;;
        esac
    done
    case $text in '' | ---*) return ;; esac
    [ -z "$state" ] || check_state "$state" "$text" "${cells[0]}" "$1"
    for i in "${!columns[@]}"; do
        case ${columns[i]} in
        ours | "user 1" | "user 2" | both) ours=$((ours + ${#cells[i]})) ;;
        esac
        [ "$text" != - ] || continue
        got=${cells[i]}
        case ${columns[i]} in
        ours) check_cell "$text" "$where" "${cells[i]}" ;;
        "user 1") check_cell "${text//USER/-t user1}" "$where" "${cells[i]}" ;;
        "user 2") check_cell "${text//USER/-t user2}" "$where" "${cells[i]}" ;;
        both) check_cell "${text//USER/-t user1 -t user2}" "$where" "${cells[i]}" ;;
        esac
        cells[i]=$got
    done
    expect "a figure, or why there is none: ${cells[0]}: ${cells[1]}" [ "$ours" -gt 0 ]
}

# Prints the row, with the actual figures if they differ.
renew_row() {
    local row="|" cell

    for cell in "${cells[@]}"; do
        row+=" ${cell:+$cell }|"
    done
    echo "$row" >>"$renewed"
}

other_line() {
    case $1 in
    '|'*) table_row "$1" && renew_row ;;
    *)
        columns=()
        echo "$1" >>"$renewed"
        ;;
    esac
}

run_document "$document"
finish "papers: "
