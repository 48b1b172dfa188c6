#!/bin/bash
# Nothing gets through: for every importer a log of hostile names, which then go through every report
# in every format, dump, sql, every picture and a terminal, unharmed and harmless.
#
#     BUILD=build tests/hostile.sh
#
# All traces are in one database. Each row of `tracetool reports`, alone and with each of its options,
# is run --by-trace, in tsv and some more forms by turns (HOSTILE=all: in all; printed: without pictures; some: a quarter of the reports, without pictures), and once on a terminal; so is
# every table and view. A new report,
# option or format is tested without a change here; tests/registry says what their names and values are.
# tests/golden/hostile.test has the exact bytes of some outputs.
#
# Pictures are chosen, too: each different one and a quarter of the others are drawn as svg, over all
# traces and --by-trace by turns, and three in eight of these also as png, pdf or characters.
# shellcheck disable=SC2016,SC1003 # nothing in a name is to be expanded
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

TIME_LIMIT=60         # seconds a command may take
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir logs out pictures
export HOME=$work TRACETOOL_DB=$work/traces.db PAGER='cat -' # a pager like any other
messages=$work/messages.txt # stderr of all commands

# TRACETOOL may be several words (valgrind). What it says on stderr is looked at in the end.
tracetool() {
    # shellcheck disable=SC2086
    timeout -k 5 $TIME_LIMIT $TRACETOOL "$@" 2>>"$messages"
}

# start NAME COMMAND…: in the background, with counts of its own, which collect() adds.
start() {
    count_apart "$@" >"$1.output" 2>&1 &
}

count_apart() {
    local passed=0 failed=0 messages=$work/messages-$1.txt

    "${@:2}"
    echo "$passed $failed" >"$1.counts"
}

# A part that did not come to its end is a failure.
collect() {
    local name counts

    wait
    for name in "$@"; do
        cat "$name.output"
        read -r -a counts <"$name.counts" || counts=(0 1)
        passed=$((passed + counts[0]))
        failed=$((failed + counts[1]))
    done
}

# Each says what it is for. They only define.
for part in names logs import print outputs pictures exports sql archives; do
    # shellcheck source=/dev/null
    . "$tests/hostile/$part.sh"
done

# --- all of it ------------------------------------------------------------------------------------

check_messages() {
    # This one is gnuplot's own, with a TAB.
    cat messages*.txt | grep -av '^.    Check plot boundary and font sizes\.$' >all.txt
    LC_ALL=C grep -aP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' all.txt >faulty.txt
    iconv -f UTF-8 -t UTF-8 all.txt >/dev/null 2>>faulty.txt
    if [ -s faulty.txt ]; then
        fail "stderr" faulty.txt
    else
        pass
    fi
}

check_outputs() {
    check_tsv
    check_csv
    check_json
    check_json_names
    check_markdown
    check_html
    check_gnuplot
    check_folded
    check_marks
}

# Format and kind. Those that are declared in YAML have no names, or are like the one that write_config
# declares; vscsi has none.
tried_formats() {
    tracetool formats --format tsv | grep -v '^#' | cut -f 1,2 |
        grep -vf <(cd "$root/formats" && printf '%s\n' vscsi *.yaml | sed 's/^/^/; s/\.yaml$//; s/$/\t/')
}

write_config >tracetool.yaml
while IFS= read -r format; do
    import_format "$format"
done < <(tried_formats | cut -f 1)
check_ledgers
run_variants
check_outputs
start bombs check_bombs
find_names
[[ ${HOSTILE:-} = printed || ${HOSTILE:-} = some ]] || draw_variants
check_exports
check_terminal
check_harmless
check_sql
check_links
check_archives
collect bombs
check_messages
not_pwned "all"
expect "tracetool check" tracetool -q check
finish "hostile: "
