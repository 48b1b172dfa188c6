$5 ~ /^sys_.*\(/ {
    begin[$1] = micros()
}
$6 == "->" && $1 in begin {
    name = call_name()
    took = micros() - begin[$1]
    if (count[name]++ == 0 || took < least[name]) {
        least[name] = took
    }
    most[name] = took > most[name] ? took : most[name]
    sum[name] += took
    errors[name] += $7 ~ /^0xfffffffffffff/
    delete begin[$1]
}
END {
    for (name in count) {
        printf "%s\t%d\t%d\t%.0f\t%.0f\t%.0f\n", name, count[name], errors[name], sum[name] * 1000,
            least[name] * 1000, most[name] * 1000
    }
}
