#!/bin/bash
# Every format and exporter of the program's own lists, and every part of the tests, has what the tests of all of them
# need, and the limits in the code are those of docs/limits.md. What is missing is said in words that say what to add.
#
#     BUILD=build tests/registry.sh
set -u
# shellcheck source=tests/formats.sh
. "$(dirname "$0")/formats.sh"

named() {
    tracetool "$1" --format tsv | grep -v '^#' | cut -f 1 | sort -u
}

# add_line KIND NAME COLUMNS: tests/registry has a line of it.
add_line() {
    expect "$2: add a line '$1 | $2 | $3' to tests/registry, whose head explains it" [ -n "$(registered "$1" "$2")" ]
}

# code_of KIND NAME FUNCTION FILE: where the line says `code`, there is the function.
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
        # These scripts have more to say of damage.
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

# A script is a part of the tests, or one of those named here.
test_parts() {
    local script name parts

    parts=" $(sed -n '/^\(CHECK_PARTS\|LONG_[1-7]\) = /,/[^\\]$/p' "$tests/tests.mk" | sed 's/^[A-Z_0-9]* = //; s/\\$//' | tr -s '\n\t' '  ') "
    for script in "$tests"/*.sh; do
        name=$(basename "$script" .sh)
        case $name in lib | formats | document | check | seventh | attack | store | threads | e2fsprogs) continue ;; esac
        expect "tests/$name.sh: add $name to CHECK_PARTS, or to one of LONG_1 to LONG_7, in tests/tests.mk" \
            is_part "$name"
    done
}

# Numbers and files of docs/limits.md are those of the code.
test_limits() {
    (cd "$root" && tools/limits) >got.txt 2>&1
    check "docs/limits.md has the limits of the code (tools/limits --renew mends files)" /dev/null got.txt
}

test_limits
test_formats
test_exporters
test_parts
finish "registry: "
