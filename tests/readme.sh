#!/bin/bash
# Tests README.md: runs its commands in a directory with the files of a checkout after `make`, and compares
# their output. All its commands must be available on Debian with the packages of `make demo`.
#
#     tests/readme.sh [--renew]    writes the actual output into it, and draws its pictures: check them
set -uo pipefail
# shellcheck source=tests/document.sh
. "$(dirname "$0")/document.sh"

[ "${1:-}" != --renew ] || renew=true
mkdir -p run/docs
ln -s "$root/testdata" "$BUILD" run/
ln -sfn "$BUILD" run/build
cd run || exit 1

# Includes messages. tracetool is the program under test. Skips builds that `make` would do.
as_run() {
    text=${1//..\/shared/$shared}
    text="{ ${text//build\/tracetool /tracetool }
    } 2>&1"
}

needs_shared() {
    case $1 in *../shared* | *" -d real.db "*) return 0 ;; esac
    return 1
}

make() {
    [ -x "$1" ]
}

run_document "$root/README.md"

# --- what it shows --------------------------------------------------------------------------------

# Linked pictures and pages exist.
grep -oE '\]\([^)#:]+\)' "$root/README.md" | tr -d '()]' | sort -u | while read -r file; do
    [ -e "$root/$file" ] || echo "$file"
done >missing.txt
expect "what README.md leads to is there: $(tr '\n' ' ' <missing.txt)" [ ! -s missing.txt ]
for picture in docs/*.svg; do
    [ -e "$picture" ] || continue
    expect "$picture is in README.md" grep -q "($picture)" "$root/README.md"
    expect "$picture is kept" [ -s "$root/$picture" ]
    ! $renew || cp "$picture" "$root/docs/"
done

tracetool reports --format tsv | grep -v '^#' | cut -f 1 | sort -u | while read -r report; do
    grep -q "\`$report\`" "$root/README.md" || echo "$report"
done >missing.txt
expect "README.md has all reports: $(tr '\n' ' ' <missing.txt)" [ ! -s missing.txt ]

# Commands of Debian's base, of the packages of `make demo`, of the shell, and the program's own.
own=' build/tracetool build/generate-palmist make for do done echo '
sed -n 's/^    \$ //p' "$root/README.md" | grep -oE '(^|[|;] *|do )[a-z./_-]+( |$)' | sed 's/^[|; ]*//; s/^do //' |
    tr -d ' ' | sort -u >commands.txt
while read -r command; do
    case "$own" in *" $command "*) continue ;; esac
    case $command in "" | *=*) continue ;; esac
    expect "README.md: a fresh Debian has no $command" \
        grep -qx "$command" <(printf '%s\n' gnuplot awk sed grep sort head tail cut cat logs)
done <commands.txt

finish "readme: "
