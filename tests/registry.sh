#!/bin/bash
# Checks that every format, every exporter and every part of the tests is registered for the common tests, and
# that the limits in the code equal docs/limits.md. Messages tell what to add.
#
#     BUILD=build tests/registry.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

named() {
    tracetool "$1" --format tsv | grep -v '^#' | cut -f 1 | sort -u
}

# add_line KIND NAME COLUMNS: checks that tests/registry has such a line.
add_line() {
    expect "$2: add a line '$1 | $2 | $3' to tests/registry, whose head explains it" [ -n "$(registered "$1" "$2")" ]
}

# code_of KIND NAME FUNCTION FILE: if the line says `code`, checks that the function exists.
code_of() {
    case $(registered "$1" "$2") in
    "$2|code"*) expect "$2: tests/registry says code, so $4 needs a function $3" grep -q "^[$] $3() {" "$root/$4" ;;
    esac
}

test_formats() {
    local format folder

    named formats >formats.txt
    while read -r format; do
        folder=testdata/$format
        add_line format "$format" 'lines TEMPLATE | 0 0 1 | FACTS'
        code_of format "$format" "log_$format" tests/golden/hostile-names.test
        expect "$format: add a good log, $folder/ok/NAME or $folder/small.NAME" [ -n "$(good_log "$format")" ]
        expect "$format: add $folder/damaged/NAME and NAME.expected" compgen -G "$root/$folder/damaged/*.expected" >/dev/null
        expect "$format: add $folder/fail/NAME, in which nothing can be read" compgen -G "$root/$folder/fail/*" >/dev/null
        # These formats have scripts with more tests of damage.
        case $format in android-trace | rmp) continue ;; esac
        expect "$format: add $folder/reasons, KEYWORD and WORDS of each reason to reject a record (tests/damaged.sh)" \
            [ -e "$root/$folder/reasons" ]
    done <formats.txt
    registered format | cut -d '|' -f 1 | sort >got.txt
    check "tests/registry has the formats that there are" formats.txt got.txt
}

test_exporters() {
    local exporter

    named exports >exports.txt
    while read -r exporter; do
        add_line export "$exporter" 'as FORMAT'
        code_of export "$exporter" "read_$exporter" tests/golden/hostile-names.test
    done <exports.txt
    registered export | cut -d '|' -f 1 | sort >got.txt
    check "tests/registry has the exporters that there are" exports.txt got.txt
}

is_part() {
    [[ $parts == *" $1 "* ]]
}

# Each script is a part of the tests, or listed here.
test_parts() {
    local script name

    parts=" $(sed -n '/^\(CHECK\|LONG\)_PARTS = /,/[^\\]$/p' "$tests/tests.mk" | sed 's/^[A-Z_0-9]* = //; s/\\$//' | tr -s '\n\t' '  ') "
    for script in "$tests"/*.sh; do
        name=$(basename "$script" .sh)
        case $name in lib | formats | mangle | same_answers | document | pictures | check | deal | attack | store | threads | e2fsprogs) continue ;; esac
        expect "tests/$name.sh: add $name to CHECK_PARTS or LONG_PARTS in tests/tests.mk" \
            is_part "$name"
    done
}

# Numbers and files of docs/limits.md are those of the code.
test_limits() {
    (cd "$root" && tools/limits) >got.txt 2>&1
    check "docs/limits.md has the limits of the code (tools/limits --renew mends files)" /dev/null got.txt
}

# Each dealt item belongs to exactly one part, and tests/seconds has no obsolete items.
test_deal() {
    local number

    unit_suites | sort >wanted.txt
    for number in 1 2 3 4 5 6 7; do
        "$tests/deal.sh" unit 7 $number <wanted.txt >share.txt
        expect "deal.sh: suites in part $number of 7" [ -s share.txt ]
        cat share.txt
    done | sort >got.txt
    check "the parts of deal.sh are all suites, each once" wanted.txt got.txt
    {
        sed 's/^/unit /' wanted.txt
        long_golden | sed 's/^/long /'
        tr ' ' '\n' <<<"$parts" | grep '^[a-z]' | sed 's/^/long /'
        find "$tests/golden" -name '*.test' | sed 's|.*/\(.*\)\.test$|golden \1|'
        "$BUILD/replay" --targets | sed 's/^/fuzz /'
    } | sort -u >known.txt
    grep -v '^#' "$tests/seconds" | cut -d ' ' -f 1,2 | grep -v '^\(all\|step\) ' | sort | comm -23 - known.txt >got.txt
    check "tests/seconds names suites, golden files, parts and fuzz targets that there are" /dev/null got.txt
}

# most KIND PARTS: appends the seconds of the longest part of the items on stdin to a file.
most() {
    "$tests/deal.sh" "$1" "$2" most
}

# .ci/run takes less than 15 minutes on two processors: the steps of every commit and the longest part of the
# dealt ones.
test_budget() {
    local wall

    {
        awk '$1 == "all" { print $3 }' "$tests/seconds"
        sed -n 's/^long //p' known.txt | most long 7
        sed -n 's/^unit //p' known.txt | most unit 14
        sed -n 's/^fuzz //p' known.txt | most fuzz 14
        sed -n 's/^golden //p' known.txt | most golden 14
        awk '$1 == "step" { print $2 }' "$tests/seconds" | most step 5
    } >budget.txt
    wall=$(awk '{ sum += $1 } END { printf "%.0f", sum / 2 }' budget.txt)
    echo "registry: .ci/run takes $wall s on two processors by tests/seconds"
    expect "tests/seconds: .ci/run takes $wall s, not less than 900" [ "$wall" -lt 900 ]
}

test_limits
test_formats
test_exporters
test_parts
test_deal
test_budget
finish "registry: "
