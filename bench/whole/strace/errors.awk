/ <unfinished \.\.\.>$/ {
    file[$1] = file_name()
}
/ = -1 E/ {
    count[call_name() "\t" error() "\t" ($3 == "<..." ? file[$1] : file_name())]++
}
END {
    for (key in count) {
        print key "\t" count[key]
    }
}
