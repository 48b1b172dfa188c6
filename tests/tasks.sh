#!/bin/bash
# Tests man/tracetool-tasks.7 and docs/tasks.md: runs all their commands and compares the output; in
# docs/tasks.md also both counts of each figure. Where there are no real logs, commands on them run on generated
# logs.
#
#     tests/tasks.sh [--renew]    writes the actual output into both: check the difference
set -uo pipefail
# shellcheck source=tests/document.sh
. "$(dirname "$0")/document.sh"

[ "${1:-}" != --renew ] || renew=true

# --- the page -------------------------------------------------------------------------------------

# Output as on a wide terminal and without remarks, unless the command has a pipe or chooses a format.
as_on_terminal() {
    case " $* " in
    *" --format "* | *" import "* | *" plot "* | *" remove "* | *" check "*) $TRACETOOL "$@" ;;
    *" dump "*) $TRACETOOL "$@" | sed '/^#/d' ;;
    *) if [ -p /dev/stdout ]; then $TRACETOOL "$@"; else $TRACETOOL "$@" --format table | sed '/^#/d'; fi ;;
    esac
}

as_run() {
    text=${1//tracetool /as_on_terminal }
}

mkdir run
ln -s "$root/testdata" run/testdata
cd run || exit 1
run_document "$root/man/tracetool-tasks.7"
expect "there are questions" [ "$(grep -c '^\.Ss' "$root/man/tracetool-tasks.7")" -ge 30 ]

# --- real logs ------------------------------------------------------------------------------------

cd "$root" || exit 1
needs_shared() {
    return 0 # all are on real logs
}

as_run() {
    text=${1//..\/shared/$shared}
}

run_document "$root/docs/tasks.md"
run_document "$root/docs/why.md"

# --- logs made here -------------------------------------------------------------------------------

# stand_in FORM FILE: writes 400 requests, sequential or two in parallel, some flushes, and sequential
# sectors, as lines of MOST or of blkparse.
stand_in() {
    awk -v form="$1" '
        function random(below) { seed = (seed * 16807) % 2147483647; return seed % below }
        function put(at, action, letters, sector, blocks, who, file, seconds) {
            seconds = sprintf("%d.%09d", at / 1000000000, at % 1000000000)
            if (form == "most")
                printf "%15s\t%s\t%s\t%8d\t%4d\t%5d\t%20s\t%s%s\n", seconds, action, letters, sector, blocks,
                    100 + length(who), who, "D", file == "" ? "" : "\t" file
            else if (blocks > 0)
                printf "  8,0    0 %s %5d  %s %3s %d + %d [%s]\n", seconds, 100 + length(who), action,
                    letters, sector, blocks, action == "C" ? "0" : who
        }
        BEGIN {
            seed = 42
            split("writer reader jbd2/sda1-8 browser", name, " ")
            split("R RS W WS WS", class, " ")
            split("mail.db mail.db-journal photo.jpg notes.db", file, " ")
            for (i = 0; i < 400; i++) {
                who = name[random(4) + 1]
                letters = class[random(5) + 1]
                sector = random(3) ? sector + blocks : random(1000000) * 8
                blocks = 8 * (random(16) + 1)
                issue = now + random(90000) + 1000
                end = issue + random(9000000) + 10000
                if (letters ~ /W/ && random(9) == 0) {
                    put(now, "Q", "WBS", 0, 0, who)
                    put(end, "C", "WS", 0, 0, who)
                    blocks = 0
                } else {
                    put(now, "Q", letters, sector, blocks, who)
                    put(issue, "D", letters, sector, blocks, "kworker/0:1")
                    put(end, "C", letters, sector, blocks, who, file[random(4) + 1])
                }
                now = end + random(20000000) + 1000
            }
        }' >"$2"
}

# The same questions where those above were skipped; only compares both counts.
stand_in most "$work/made.po"
stand_in blkparse "$work/made.txt"
outputs=()
compare=false
needs_shared() {
    return 1
}

as_run() {
    text=${1//..\/shared\/data\/most\/result.po/$work/made.po}
    text=${text//..\/shared\/data\/blkparse\/sqlite-on-ext4.txt/$work/made.txt}
    text=${text//..\/shared\/data\/blocks-to-files\/r1.blkparse.zst/$work/made.txt}
    text=${text//..\/shared\/data\/strace\/f-ttt-T-y.strace/testdata\/strace\/ok\/names.strace}
    text=${text//..\/shared\/data\/android-trace\/streaming.trace/testdata\/android-trace\/ok\/shop-streaming-dual.trace}
    text=${text//..\/shared\/data\/android-trace\/legacy.trace/testdata\/android-trace\/ok\/shop-v3-wall.trace}
    text=${text//..\/shared\/data\/blktrace\/odd.txt/testdata\/blkparse\/damaged\/prose.txt}
    text=${text//import -n/import --again -n}
}

renew=false
run_document "$root/docs/tasks.md"

finish "tasks: "
