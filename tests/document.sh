# shellcheck shell=bash
# Shared by tests of executable documents. It runs their commands in order and compares the output with the
# document. A script selects the documents, and can define further syntax.
#
# Syntax; commands run in bash in the checkout's directory:
#
#     $ command          indented by four; `> ` continues it. It must succeed. The following
#                        lines are its output; `…` stands for any lines.
#
# In manual pages (mdoc), the same lines are between .Bd -literal and .Ed, not indented.
#
# A script can redefine: `other_line LINE`, for other lines; `needs_shared COMMAND`, whether it needs files
# next to the checkout; `as_run COMMAND`, which sets $text to the command to run. With `compare=false`,
# commands only need to succeed.

# shellcheck source=tests/formats.sh
. "$(dirname "${BASH_SOURCE[0]}")/formats.sh"

renew=false
export TMPDIR=$work # documents create their directories here
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

# Builds generators once for all tests: cc … -o FILE SOURCE…
cc() {
    while [ "$1" != -o ]; do shift; done
    cached_generator "$@" && cp "$generator" "$2"
}

lacks_shared() {
    [ ! -d "$shared/data" ] && needs_shared "$1"
}

# run COMMAND: writes its output to the file $output; runs each command once.
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

command="" # command of the current block, not yet run
: >"$work/expected"

# Checks that the lines of a file occur in another one, in order, and adjacent unless `…` separates them.
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

# Converts a manual page to indented lines, and back.
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

# run_document FILE: runs all of it; with $renew, writes the actual output into it.
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
