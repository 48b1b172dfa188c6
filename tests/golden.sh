#!/bin/bash
# Runs the program as its users do, and compares what it writes and how it ends.
#
#     tests/golden.sh [--renew] [FILE…]      default: tests/golden/*.test
#
# A file holds stanzas, parted by empty lines; adding one adds a test. Lines beginning with # are
# comments. A stanza is:
#
#     test: what it shows
#     $ shell commands, run together by `sh -e` in a new, empty folder
#     $ more of them
#     > a line expected on stdout
#     ! a line expected on stderr
#     ? 2                       the exit status, 0 when there is no such line
#
# A line \ (a single backslash) follows an expected line that ends without a newline. Commands find
# the program as `tracetool` (and $TRACETOOL), one with the importers of tests/importers as
# `tracetool-kinds`, a pseudo-terminal as `terminal` (tests/terminal.c), the shipped data as
# `testdata` (and $TESTDATA). The database is ./traces.db unless -d names another.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

renew=false
if [ "${1:-}" = --renew ]; then
    renew=true
    shift
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/new" "$work/new/run"
ln -s "$root/testdata" "$work/new/run/testdata"
ln -s "$BUILD/tracetool-kinds" "$BUILD/terminal" "$work/bin/"
# TRACETOOL may be several words (valgrind).
if [ -x "$TRACETOOL" ]; then
    ln -s "$(realpath "$TRACETOOL")" "$work/bin/tracetool"
else
    printf '#!/bin/sh\nexec %s "$@"\n' "$TRACETOOL" >"$work/bin/tracetool"
    chmod +x "$work/bin/tracetool"
fi
export PATH=$work/bin:$PATH TRACETOOL=tracetool TESTDATA=testdata

# Output as the stanza writes it: each line with its mark, a missing newline told.
mark() {
    local line

    # A NUL, which the shell would pass over, ends this successfully.
    if IFS= read -r -d '' line <"$2"; then
        echo "$1 (holds a NUL)"
    fi
    while IFS= read -r line; do
        printf '%s\n' "$1${line:+ $line}"
    done <"$2"
    [ -z "$line" ] || printf '%s\n\\\n' "$1 $line"
}

# Runs $commands and leaves what came of it in $here/got, as the stanza writes it.
run_stanza() {
    local folder=$here/stanza/run status

    rm -rf "$here/stanza"
    cp -r "$work/new" "$here/stanza"
    # Files run side by side, and some write settings of the user's own.
    (cd "$folder" && HOME=$here/home exec sh -e "$here/commands") >"$here/out" 2>"$here/err" </dev/null
    status=$?
    {
        mark ">" "$here/out"
        mark "!" "$here/err"
        [ $status -eq 0 ] || echo "? $status"
    } >"$here/got"
}

# Judges the stanza read so far. With --renew its new form is written to $here/new instead.
end_stanza() {
    [ -n "$name" ] || return 0
    run_stanza
    if $renew; then
        cat "$here/got" >>"$here/new"
    else
        check "$file: $name" "$here/expected" "$here/got"
    fi
    name=
}

run_file() {
    local line

    name=
    : >"$here/new"
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        test:*)
            end_stanza
            name=${line#test: }
            : >"$here/commands"
            : >"$here/expected"
            ;;
        '$ '*) printf '%s\n' "${line#'$ '}" >>"$here/commands" ;;
        '>'* | '!'* | '?'* | "\\")
            printf '%s\n' "$line" >>"$here/expected"
            continue
            ;;
        '' | '#'*) end_stanza ;;
        *)
            fail "$file: not understood: $line"
            ;;
        esac
        printf '%s\n' "$line" >>"$here/new"
    done <"$1"
    end_stanza
    ! $renew || cmp -s "$here/new" "$1" || cp "$here/new" "$1"
}

# Several files run side by side, each in a process of its own.
run_files() {
    local path here

    for path in "$@"; do
        file=${path##*/}
        here=$work/$file
        mkdir "$here"
        {
            run_file "$path"
            echo "$passed $failed" >"$here/counts"
        } >"$here/output" 2>&1 &
    done
    wait
    for path in "$@"; do
        file=${path##*/}
        cat "$work/$file/output"
        ! $renew || continue
        read -r part_passed part_failed <"$work/$file/counts"
        passed=$((passed + part_passed))
        failed=$((failed + part_failed))
    done
}

[ $# -gt 0 ] || set -- "$tests"/golden/*.test
run_files "$@"
$renew || finish "golden: "
