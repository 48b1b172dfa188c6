# Which operation when: a dot for each call, by the number of its trap (thesis, figure 4.3). Breaks
# in the activity show as white stripes. One panel a result.
# A dot that would fall on the one before it at the finest resolution (1 in 1200 by 600) is left
# out: it could not be seen, and keeps SVG and PDF small.
# Columns: 1 time (seconds since the start), 2 id.
# include: common
# include: axes

# The time shown begins at 0 unless the first event is far from it (--from).
set xlabel duration_unit eq "ns" ? "time since the start (s)" : "time since the start (".duration_unit.")"
unset key
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 5; \
}

# The range of a result; a multiple of a power of two between the marks, in hexadecimal for traps.
# A result without rows has one of NaN; an operation may have no number.
note(time, id) = (n = n + 1, low = id < low ? id : low, high = id > high ? id : high, \
    begin = time < begin ? time : begin, end = time > end ? time : end)
array last[601]
drawn(time, id) = (row = int((id - low) / (high - low + 1.0) * 600) + 1, \
    cell = int((time - begin) / (end - begin) * 1200), \
    last[row] == cell ? NaN : (last[row] = cell, time))
panel_title(i) = title_of_result(i, small ? 60 : 80)
# include: panels
do for [i = 1:count] { \
    n = 0; low = 1e300; high = -1e300; begin = 1e300; end = 0.0; \
    set autoscale; \
    stats $data index i - 1 using (absent(2) ? 0 : (note($1, $2), 0)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (n == 0) { low = 0.0; high = 0.0 }; \
    if (begin < 0.2 * end) { begin = 0.0 }; \
    if (n == 0 || end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }; \
    step = 2.0**ceil(log((high - low + 1.0) / (small ? 4 : 8)) / log(2.0)); \
    step = step < 1 ? 1 : step; \
    set ytics step; \
    set ylabel low >= 0xA000 && high <= 0xFFFF ? "trap ID" : "operation, by number"; \
    set format y (low >= 0xA000 ? "0x%X" : "%.0f"); \
    set yrange [floor(low / step) * step:(floor(high / step) + 1) * step]; \
    set xrange [begin:end]; \
    do for [k = 1:601] { last[k] = -1 }; \
    plot $data index i - 1 using (absent(2) ? NaN : drawn($1, $2)):2 with points \
        pointtype (small ? 0 : 7) pointsize (n > 5000 ? 0.15 : 0.4) linecolor rgb "#0072B2"; \
}
if (panels) { unset multiplot }
