# Which sector when: a mark for each I/O, by its class. One panel a result.
# A mark that would fall on the one of its class before it at a fine resolution (1 in 1200 by 600)
# is left out: it could not be seen, and keeps SVG and PDF small. Reads are drawn over writes.
# Columns: 1 time (seconds since the start), 2 id (first sector), 3 name (class).
# include: common
# include: axes
mark(c) = int(word("7 6 9 8 1", c))

# The time shown begins at 0 unless the first event is far from it (--from).
set xlabel "time since the start (s)"
set key outside right top samplen 1
if (!small) { \
    set key reverse Left; \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

note(time, sector, name) = (n = n + 1, high = sector > high ? sector : high, \
    begin = time < begin ? time : begin, end = time > end ? time : end, \
    seen = strstrt(seen, " ".name." ") ? seen : seen.name." ")
array last[5 * 601]
drawn(time, sector, name, c) = name ne class(c) ? NaN : ( \
    row = int(sector / (high + 1.0) * 600) + 1 + (c - 1) * 601, \
    cell = int((time - begin) / (end - begin) * 1200), \
    last[row] == cell ? NaN : (last[row] = cell, time))
panel_title(i) = title_of_result(i, small ? 60 : 80)
# include: panels
if (panels && columns > 1) { set key font ",9" spacing 0.8 samplen 1 }
do for [i = 1:count] { \
    n = 0; high = 0; begin = 1e300; end = 0.0; seen = " "; \
    set autoscale; \
    stats $data index i - 1 using (absent(2) ? 0 : (note($1, $2, strcol(3)), 0)) nooutput; \
    if (begin < 0.2 * end) { begin = 0.0 }; \
    if (n == 0 || end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }; \
    unit = high >= 2e6 ? 1e6 : 1; \
    set ylabel unit > 1 ? "sector (millions)" : "sector"; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [begin:end]; \
    set yrange [-0.02 * high / unit:high > 0 ? 1.02 * high / unit : 1]; \
    do for [k = 1:5 * 601] { last[k] = -1 }; \
    plot for [c = 5:1:-1] $data index i - 1 \
            using (absent(2) ? NaN : drawn($1, $2, strcol(3), c)):($2 / unit) with points notitle \
            pointtype mark(c) pointsize (n > 5000 ? 0.35 : 0.8) linecolor rgb class_colour(c), \
        for [c = 1:5] keyentry with points pointtype mark(c) pointsize 1 linecolor rgb class_colour(c) \
            title strstrt(seen, " ".class(c)." ") ? class(c) : ""; \
}
if (panels) { unset multiplot }
