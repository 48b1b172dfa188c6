#!/bin/bash
# Runs the program like its users, and compares its output and exit status.
#
#     tests/golden.sh [--renew] [FILE…]      default: tests/golden/*.test
#
# TIMES=1 prints the seconds of the processor of each stanza. tests/golden.py is the runner. A long stanza begins with `long:`
# instead of `test:`; `make check` skips it, `make check-all` runs it.
#
# A file has stanzas separated by empty lines; a new test is a new stanza. Lines beginning with # are
# comments. A stanza is:
#
#     test: what it shows
#     $ shell commands, run together by `bash -e` in a new, empty directory
#     $ more of them
#     > a line expected on stdout
#     ! a line expected on stderr
#     ? 2                       the exit status; 0 without such a line
#
# The commands of a stanza that begins with `setup:` precede those of all later stanzas in the file. A stanza
# that begins with `real:` is long, and skipped if ../shared (or $SHARED) has no logs.
#
# A line \ (a single backslash) follows an expected line without a newline. Commands have these names:
# `tracetool` (and $TRACETOOL), the program; `tracetool-kinds`, with the importers of tests/importers;
# `terminal`, a pseudo-terminal (tests/terminal.c); `testdata` (and $TESTDATA), the shipped data; $TESTS, the
# directory of oracles. The database is ./traces.db unless -d names another one.
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

options=()
if [ "${1:-}" = --renew ]; then
    options=(--renew)
    shift
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/new" "$work/new/run"
ln -s "$root/testdata" "$work/new/run/testdata"
ln -s "$BUILD/tracetool-kinds" "$BUILD/terminal" "$work/bin/"
# TRACETOOL can be several words (valgrind).
if [ -x "$TRACETOOL" ]; then
    ln -s "$(realpath "$TRACETOOL")" "$work/bin/tracetool"
else
    printf '#!/bin/sh\nexec %s "$@"\n' "$TRACETOOL" >"$work/bin/tracetool"
    chmod +x "$work/bin/tracetool"
fi
export PATH=$work/bin:$PATH TRACETOOL=tracetool TESTDATA=testdata TESTS=$tests STANZA=1 BUILD SHARED=${SHARED:-$root/../shared}

if [ $# -eq 0 ]; then
    [ ${#options[@]} -gt 0 ] || export LONG=${LONG:-no}
    set -- "$tests"/golden/*.test
fi
python3 "$tests/golden.py" "$work" "${options[@]}" "$@"
