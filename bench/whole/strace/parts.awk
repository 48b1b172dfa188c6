# Parts of a line, for the programs beside.

# Of a call's line: its begin, its end or both.
function call_name() {
    return $3 == "<..." ? $4 : substr($3, 1, index($3, "(") - 1)
}

function is_begin() {
    return $3 != "<..." && $3 != "+++"
}

# Of a line that has one: it ends in it.
function micros() {
    return int(substr($NF, 2) * 1000000 + 0.5)
}

# What the call did: whole, or resumed by this line.
function result() {
    return match($0, /\) = -?[0-9]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : ""
}

function error() {
    return match($0, /\) = -1 E[A-Z]+/) ? substr($0, RSTART + 7, RLENGTH - 7) : ""
}

# Of a line that begins a call: of its first descriptor, or the path.
function file_name(    name) {
    if ($3 ~ /\(\[/) {
        return ""
    }
    if (match($3, /<[^>]*>/)) {
        name = substr($3, RSTART + 1, RLENGTH - 2)
        return $3 ~ /AT_FDCWD/ ? name "/" substr($4, 2, length($4) - 3) : name
    }
    return match($3, /"[^"]*"/) ? substr($3, RSTART + 1, RLENGTH - 2) : ""
}
