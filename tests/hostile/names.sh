# shellcheck shell=bash disable=SC2016,SC1003,SC2034,SC2154 # nothing in a name is to be expanded; variables of and for the other parts of hostile.sh
# The names, and how their bytes are written.

# As tsv shows them, which is also what `printf %b` makes the bytes of. Each has a mark of its own.
# What runs, in a shell, gnuplot or SQLite, makes a file `pwned`.
names=(
    'm01"; system(">pwned"); "'
    '".system(">pwned")."m02'
    'm03`>pwned`'
    'm04$(>pwned)'
    "m05'; DROP TABLE event; --"
    "m06') OR 1=1 --"
    '!>pwned m07'
    'm08\n!>pwned\nsystem ">pwned"\n'
    'TRACETOOL_END m09'
    'm10\nTRACETOOL_END\nsystem ">pwned"\n'
    '$data << TRACETOOL_END m11'
    '@m12 $m12'
    '{/Symbol m13}^_{x}'
    'm14\x1b[31;5;7mx\x1b[0m'
    'm15\x1b]0;x\x07'
    'm16\x01\x08\x0b\x1f'
    'm17\x0dx'
    'm18\x7f.'
    'm19\xc2\x9b31m'
    'm20\xff\xfe'
    'm21\xc0\xafx'
    'm22\xed\xa0\x80'
    'm23\xe2\x82'
    'm24\tx\t1'
    'm25\nx\n1'
    'm26\x00x'
    '\x23m27'
    '=1+1 m28'
    '\\m29\\x0a\\\\'
    'm30%s%n%99$d'
    '<script>m31'
    'm32]]></text>&amp;'
    'm33|*a*_b_'
    'm34[x](y)<b>'
    'm35,"a",b'
    'm36;a;b 7'
    '-om37'
    '../../m38'
    'm39 ‮é漢'
    "m40'\"'\""
)
long=$(head -c 65533 /dev/zero | tr '\0' x) # with its mark 64 KiB
long="m99${long:3}\"x\`"
device='m81\x1b[31;5;7m"\n`>pwned`' user='m82\ttab\xff' study="m83'; DROP TABLE trace; --\n\\x1b[31;5;7m"

# Names without any of the given parts.
without() {
    local name part

    for name in "${names[@]}"; do
        for part in "$@"; do
            # shellcheck disable=SC2053
            [[ $name != $part ]] || continue 2
        done
        printf '%s\n' "$name"
    done
}

# What cannot be in a field of a line: newlines and TABs, blanks at its ends.
for_lines() {
    without '*\\n*' '*\\t*' "$@"
}

bytes() {
    printf %b "$*"
}

# How many bytes() make; without a process, for there are many names.
length() {
    local LC_ALL=C text=${1//\\\\/.}

    text=${text//\\x[0-9a-f][0-9a-f]/.}
    text=${text//\\[nt]/.}
    echo ${#text}
}

# little BYTES NUMBER…: little-endian, as text for bytes().
little() {
    local width=$1 number i

    shift
    for number in "$@"; do
        for ((i = 0; i < width; i++)); do
            printf '\\x%02x' $((number >> 8 * i & 255))
        done
    done
}

# Within a text, # is no comment.
inner() {
    printf %s "${1//\\x23/#}"
}
