# The report `popularity --of file` out of MOST's text form.
BEGIN {
    FS = "\t"
}
$2 == "C" && NF == 9 && $9 != "file-NONE" {
    count[$9]++
}
END {
    for (file in count) {
        printf "%s\t%d\n", file, count[file]
    }
}
