/ <[0-9.]+>$/ {
    name = call_name()
    took = micros()
    number[name]++
    sum[name] += took
    # Durations are few: each is counted.
    if (count[name, took]++ == 0) {
        values[name, ++different[name]] = took
    }
}

function sort(name, size,    gap, i, j, value) {
    for (gap = int(size / 2); gap > 0; gap = int(gap / 2)) {
        for (i = gap + 1; i <= size; i++) {
            value = values[name, i]
            for (j = i; j > gap && values[name, j - gap] > value; j -= gap) {
                values[name, j] = values[name, j - gap]
            }
            values[name, j] = value
        }
    }
}

function percentile(name, percent,    rank, i) {
    rank = int((number[name] * percent + 99) / 100)
    for (i = 1; (rank -= count[name, values[name, i]]) > 0; i++) {
    }
    return values[name, i] * 1000
}

END {
    for (name in number) {
        sort(name, different[name])
        printf "%s\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", name, number[name], values[name, 1] * 1000,
            sum[name] * 1000 / number[name], percentile(name, 50), percentile(name, 90), percentile(name, 99),
            values[name, different[name]] * 1000
    }
}
