is_begin() {
    count[file_name()]++
}
END {
    for (name in count) {
        if (name != "") {
            print name "\t" count[name]
        }
    }
}
