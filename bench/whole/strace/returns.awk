/\) = -?[1-9]/ {
    count[call_name() "\t" result() "\t" error()]++
}
END {
    for (key in count) {
        print key "\t" count[key]
    }
}
