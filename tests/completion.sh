#!/bin/bash
# Completion in bash, zsh and fish: what the shells offer, and that names out of logs stay names.
# Shells that are not installed are left out, which is said.
#
# shellcheck disable=SC2016,SC2094 # other shells expand; words are named like files
set -u
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts=${BUILD:-$root/build}/completions
mkdir "$work/bin" "$work/home"
printf '#!/bin/sh\nexec %s "$@"\n' "$TRACETOOL" >"$work/bin/tracetool"
chmod +x "$work/bin/tracetool"
export PATH=$work/bin:$PATH HOME=$work/home
cd "$work" || exit 1

# A trace whose name is a command, one with a blank, and one of another database.
hostile='x$(touch owned)`touch owned`'
for name in small "$hostile" 'two words'; do
    tracetool -q import --again -n "$name" "$root/testdata/most/small.po" || exit 1
done
tracetool -q -d other.db import -n elsewhere "$root/testdata/most/small.po" || exit 1

# complete SHELL WORD…: what is offered for the last word, a line each.
complete_bash() {
    bash --norc -c '
        . "$1"; shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _tracetool 2>/dev/null
        printf "%s\n" "${COMPREPLY[@]}"' bash "$scripts/tracetool.bash" "$@"
}

# compadd is what zsh gets words by: here it prints those that begin with what is there.
complete_zsh() {
    zsh -f -c '
        compadd() {
            local name
            for name in "${(@P)@[-1]}"; do
                [[ $name == "$PREFIX"* ]] && print -r -- "$name"
            done
        }
        _files() { print -rl -- "$PREFIX"*(N) }
        . "$1"; shift
        words=("$@") CURRENT=$# PREFIX=$@[-1]
        _tracetool' zsh "$scripts/tracetool.zsh" "$@"
}

# fish parses the line itself.
complete_fish() {
    fish --no-config -c 'source $argv[1]; complete -C "$argv[2]"' "$scripts/tracetool.fish" "$*" |
        sed 's/\t.*//'
}

# offers SHELL EXPECTED WORD…: the words between blanks are offered, and none beside.
offers() {
    local shell=$1 expected=$2
    shift 2
    "complete_$shell" "$@" | sort >got
    tr ' ' '\n' <<<"$expected" | sort >expected
    check "$shell: $*" expected got
}

test_shell() {
    local shell=$1

    offers "$shell" 'import' tracetool imp
    offers "$shell" 'report reports remove rename' tracetool re
    offers "$shell" 'latency' tracetool report lat
    offers "$shell" '--histogram' tracetool report latency --hist
    offers "$shell" 'compare' tracetool plot comp
    offers "$shell" '--widths' tracetool plot compare a b calltree --wid
    offers "$shell" 'small' tracetool plot compare sm
    offers "$shell" '--start --strict --study' tracetool import --st
    offers "$shell" 'fio fio-2' tracetool export phone --as 'fi'
    offers "$shell" 'mobibench most most-binary mobigen' tracetool import -f mo
    offers "$shell" 'always' tracetool --color al
    offers "$shell" 'table tsv' tracetool report rw --format t
    offers "$shell" 'sector' tracetool report popularity --of s
    offers "$shell" 'small' tracetool show sm
    offers "$shell" 'small' tracetool report rw -t sm
    offers "$shell" 'elsewhere' tracetool -d other.db show e
    offers "$shell" 'other.db' tracetool -d oth
    "complete_$shell" tracetool show x >got
    expect "$shell: a name that is a command is offered as a word" grep -q owned got
    expect "$shell: no name is run" test ! -e owned
}

for shell in bash zsh fish; do
    if command -v "$shell" >/dev/null; then
        test_shell "$shell"
    else
        skip "$shell is not installed"
    fi
done

# What is offered is all there is: the tables are the program's.
tracetool formats --format tsv | sed '/^#/d; s/\t.*//' | sort -u >formats
complete_bash tracetool import -f '' | sort >got
expect 'every format is offered' cmp -s formats got
tracetool reports --format tsv | sed '/^#/d; s/\t.*//' | sort -u >reports
complete_bash tracetool report '' | sort >got
expect 'every report is offered' cmp -s reports got

finish "completion: "
