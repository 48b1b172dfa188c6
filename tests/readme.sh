#!/bin/bash
# README.md says what is so: runs its commands in a folder with what a checkout has after `make`, and
# compares what they print. It has no command that a Debian with the packages of `make demo` lacks.
#
#     tests/readme.sh [--renew]    writes what is so into it, and draws its pictures: look at them
set -uo pipefail
# shellcheck source=tests/document.sh
. "$(dirname "$0")/document.sh"

[ "${1:-}" != --renew ] || renew=true
mkdir -p run/docs
ln -s "$root/testdata" "$BUILD" run/
ln -sfn "$BUILD" run/build
cd run || exit 1

# Messages are shown, too; tracetool is the one under test. What make would build has been built.
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

# Pictures and pages that it leads to are there.
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

# Commands of Debian's base, of the packages of `make demo`, of the shell, and its own.
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
