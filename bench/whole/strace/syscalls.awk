/ <[0-9.]+>$/ {
    name = call_name()
    took = micros()
    if (count[name]++ == 0 || took < least[name]) {
        least[name] = took
    }
    most[name] = took > most[name] ? took : most[name]
    sum[name] += took
    errors[name] += / = -1 E/
}
END {
    for (name in count) {
        printf "%s\t%d\t%d\t%.0f\t%.0f\t%.0f\n", name, count[name], errors[name], sum[name] * 1000,
            least[name] * 1000, most[name] * 1000
    }
}
