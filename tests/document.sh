# shellcheck shell=bash
# Shared by the tests of documents that run: the commands in them are run in their order, and must
# print what stands there. A script says which documents, and what else is read in them.
#
# What is read, as bash would in the checkout's folder:
#
#     $ command          indented by four; `> ` goes on with it. It must succeed. The lines behind
#                        it are what it prints; `…` stands for any others.
#
# In a page of the manual (mdoc), the same stands between .Bd -literal and .Ed, not indented.
#
# A script may define anew: `other_line LINE`, for lines that are no commands or their output;
# `needs_shared COMMAND`, whether it needs what lies beside the checkout; `as_run COMMAND`, which sets
# $text to what is run for it; and set `compare=false`: then commands must only succeed.

# shellcheck source=tests/formats.sh
. "$(dirname "${BASH_SOURCE[0]}")/formats.sh"

renew=false
export TMPDIR=$work # where documents make their folders
renewed=$work/renewed
compare=true

needs_shared() {
    case $1 in *../shared*) return 0 ;; esac
    return 1
}

other_line() {
    echo "$1" >>"$renewed"
}

as_run() {
    text=${1//..\/shared/$shared}
}

# Generators are built once for all tests: cc … -o FILE SOURCE…
cc() {
    while [ "$1" != -o ]; do shift; done
    cached_generator "$@" && cp "$generator" "$2"
}

lacks_shared() {
    [ ! -d "$shared/data" ] && needs_shared "$1"
}

# run COMMAND: its output in the file $output; each command once.
declare -A outputs=()
run() {
    local text

    as_run "$1"
    output=${outputs[$1]:-}
    [ -z "$output" ] || return 0
    output=$work/output.${#outputs[@]}
    if ! eval "$text" >"$output" 2>"$output.err" </dev/null; then
        fail "$1" "$output.err"
        return 1
    fi
    outputs[$1]=$output
}

# --- blocks --------------------------------------------------------------------------------------

command="" # of the block, not yet run
: >"$work/expected"

# Whether the lines of a file stand in another, in order; without `…` between them one after another.
stands_in() {
    LC_ALL=C awk '
        NR == FNR { wanted[++count] = $0; next }
        { line[++lines] = $0 }
        function fits(at, from) {
            for (; at <= count; at++) {
                if (wanted[at] == "…") {
                    for (; from <= lines + 1; from++) if (fits(at + 1, from)) return 1
                    return 0
                }
                if (wanted[at] != line[from++]) return 0
            }
            return from == lines + 1
        }
        END { exit !fits(1, 1) }' "$1" "$2"
}

end_block() {
    local shown=$work/expected

    [ -n "$command" ] || return 0
    if lacks_shared "$command"; then
        skip "$command"
    elif run "$command"; then
        if $renew; then
            [ ! -s "$shown" ] || grep -q "^…" "$shown" || shown=$output
        elif ! $compare || [ ! -s "$work/expected" ] || stands_in "$work/expected" "$output"; then
            pass
        else
            diff -u --label "$document" --label got "$work/expected" "$output" >"$work/diff"
            fail "$command" "$work/diff"
        fi
    fi
    sed 's/^/    /' "$shown" >>"$renewed"
    command=""
    : >"$work/expected"
}

# --- the document --------------------------------------------------------------------------------

# A page of the manual as lines that are indented, and back.
from_mdoc() {
    awk '
        /^\.Ed/ { literal = 0 }
        literal { sub(/^\\&/, ""); gsub(/\\e/, "\\"); print "    " $0; next }
        /^\.Bd -literal/ { literal = 1 }
        { print }' "$1"
}

to_mdoc() {
    awk '
        /^\.Ed/ { literal = 0 }
        literal { sub(/^    /, ""); gsub(/\\/, "\\e"); sub(/^[.\047]/, "\\\\\\&&"); print; next }
        /^\.Bd -literal/ { literal = 1 }
        { print }' "$1"
}

read_line() {
    case $1 in
    '    $ '*) end_block && command=${1#'    $ '} && echo "$1" >>"$renewed" ;;
    '    > '*) command+=$'\n'${1#'    > '} && echo "$1" >>"$renewed" ;;
    '    '*) if [ -n "$command" ]; then echo "${1#    }" >>"$work/expected"; else echo "$1" >>"$renewed"; fi ;;
    *) end_block && other_line "$1" ;;
    esac
}

# run_document FILE: all of it; with $renew, what is so is written into it.
run_document() {
    local line

    document=$1
    case $1 in
    *.[1-8]) from_mdoc "$1" >"$work/document" ;;
    *) cp "$1" "$work/document" ;;
    esac
    : >"$renewed"
    while IFS= read -r line || [ -n "$line" ]; do
        read_line "$line"
    done <"$work/document"
    end_block
    $renew || return 0
    case $1 in
    *.[1-8]) to_mdoc "$renewed" >"$1" ;;
    *) cp "$renewed" "$1" ;;
    esac
}
