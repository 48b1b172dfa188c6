#!/bin/bash
# Runs the program as its users do, and compares what it writes and how it ends.
#
#     tests/golden.sh [--renew] [FILE…]      default: tests/golden/*.test
#
# TIMES=1 prints the seconds of each stanza. tests/golden.py is the runner. A stanza that takes long begins with
# `long:` in place of `test:`; `make check` leaves it out, `make check-all` does not.
#
# A file holds stanzas, parted by empty lines; adding one adds a test. Lines beginning with # are
# comments. A stanza is:
#
#     test: what it shows
#     $ shell commands, run together by `bash -e` in a new, empty folder
#     $ more of them
#     > a line expected on stdout
#     ! a line expected on stderr
#     ? 2                       the exit status, 0 when there is no such line
#
# A stanza that begins with `setup:` has commands that come before those of each stanza behind it in its file. One
# that begins with `real:` is long, too, and skipped where ../shared (or $SHARED) has no logs.
#
# A line \ (a single backslash) follows an expected line that ends without a newline. Commands find
# the program as `tracetool` (and $TRACETOOL), one with the importers of tests/importers as
# `tracetool-kinds`, a pseudo-terminal as `terminal` (tests/terminal.c), the shipped data as
# `testdata` (and $TESTDATA), oracles in $TESTS. The database is ./traces.db unless -d names another.
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
# TRACETOOL may be several words (valgrind).
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
