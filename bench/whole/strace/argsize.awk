/ = [0-9]+ </ && call_name() ~ /^p?(read|write)(64)?$|^sendto$/ {
    count[result()]++
}
END {
    for (size in count) {
        print size "\t" count[size]
    }
}
