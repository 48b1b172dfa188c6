#!/bin/bash
# man/tracetool-tasks.7 says what is so: runs all its commands and compares what they print.
#
#     tests/tasks.sh [--renew]    writes what is so into the page: read the difference
set -uo pipefail
# shellcheck source=tests/document.sh
. "$(dirname "$0")/document.sh"

[ "${1:-}" != --renew ] || renew=true
mkdir run
ln -s "$root/testdata" run/testdata
cd run || exit 1

# As on a wide terminal, and without remarks, unless it goes into a pipe or says how to print.
tracetool() {
    case " $* " in
    *" --format "* | *" import "* | *" plot "* | *" remove "* | *" check "*) $TRACETOOL "$@" ;;
    *" dump "*) $TRACETOOL "$@" | sed '/^#/d' ;;
    *) if [ -p /dev/stdout ]; then $TRACETOOL "$@"; else $TRACETOOL "$@" --format table | sed '/^#/d'; fi ;;
    esac
}

run_document "$root/man/tracetool-tasks.7"
expect "there are questions" [ "$(grep -c '^\.Ss' "$root/man/tracetool-tasks.7")" -ge 30 ]

finish "tasks: "
