is_begin() && call_name() ~ /^p?(read|write)(64)?$|^fdatasync$/ {
    count[class()]++
}
/ = [0-9]+ </ && call_name() ~ /^p?(read|write)(64)?$/ {
    bytes[class()] += result()
}

function class() {
    return call_name() ~ /read/ ? "read" : call_name() ~ /write/ ? "write" : "flush"
}

END {
    for (name in count) {
        printf "%s\t%d\t%.0f\n", name, count[name], bytes[name]
    }
}
