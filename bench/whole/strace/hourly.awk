is_begin() {
    count[int($2 / 3600) % 24]++
}
END {
    for (hour in count) {
        print hour "\t" count[hour]
    }
}
