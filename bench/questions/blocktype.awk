# The report `blocktype` out of MOST's text form.
BEGIN {
    FS = "\t"
    names["D"] = "data"
    names["J"] = "journal"
    names["M"] = "metadata"
}
$2 == "C" {
    class = $5 == 0 && $3 !~ /D/ && $3 ~ /^ *F|W/ ? 4 : $3 ~ /R/ ? 0 : $3 ~ /W/ ? 2 : 5
    if (class < 4 && $3 ~ /S/) {
        class++
    }
    type = names[$8]
    count[type]++
    of_class[type, class]++
    bytes[type] += $5 * 512
}
END {
    for (type in count) {
        printf "%s", type
        for (class = 0; class < 6; class++) {
            printf "\t%d", of_class[type, class]
        }
        printf "\t%d\t%.0f\n", count[type], bytes[type]
    }
}
