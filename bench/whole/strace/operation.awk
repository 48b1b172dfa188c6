is_begin() {
    count[call_name()]++
}
END {
    for (name in count) {
        print name "\t" count[name]
    }
}
