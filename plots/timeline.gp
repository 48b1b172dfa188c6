# Traps over time: one dot per call, by the number of its trap (thesis, figure 4.3). Breaks in the
# activity are white stripes. One panel per result, on common scales. Rows that would coincide were
# already removed (thin). With more than 20000 calls, a grid shows the number of calls per cell.
# Columns: 1 time (seconds since the start), 2 id, rows.
# include: common
# include: axes
# include: heat
weight = field("rows")

# The time axis begins at 0 unless the first event is before it, or far from it (--from).
set key off noautotitle
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 5; \
}

# Range of all results; tics at multiples of a power of two, hexadecimal for traps. A result without
# rows has one row of NaN; an operation may have no number.
note(time, id) = (all = all + 1, events = events + column(weight), low = smaller(low, id), high = larger(high, id), \
    begin = smaller(begin, time), end = larger(end, time))
all = 0; events = 0; low = 1e300; high = -1e300; begin = 1e300; end = 0.0
array n_of[count]
do for [i = 1:count] { \
    n_of[i] = -all; \
    stats $data index i - 1 using (missing(2) ? 0 : (note($1, $2), 0)) nooutput; \
    n_of[i] = n_of[i] + all; \
}
if (all == 0) { exit status nothing }
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
# include: since
tic_step = larger(1, 2.0**ceil(log((high - low + 1.0) / (small ? 4 : 8)) / log(2.0)))
is_trap = low >= 0xA000 && high <= 0xFFFF
set ytics tic_step
own_y = is_trap
set ylabel fit_y(is_trap ? "trap ID" : "operation, by number")
set format y (is_trap ? "0x%X" : "%.0f")
panel_title(i) = title_of_result(i, small ? 60 : 80)

# The grid, and the middle of a cell.
ids = smaller(heat_high, high - low + 1)
fill(x) = heat_add(1.0 * heat_wide * ($1 - begin) / (end - begin), ids * ($2 - low) / (high - low + 1), column(weight))
cell_time(u) = (begin + (u + 0.5) / heat_wide * (end - begin)) / time_unit
cell_id(v) = low - 0.5 + (v + 0.5) / ids * (high - low + 1)
most = 0
do for [i = 1:is_dense(events) ? count : 0] { \
    unused = heat_size(heat_wide, ids); \
    stats $data index i - 1 using (missing(2) ? 0 : (fill(0), 0)) nooutput; \
    most = larger(most, heat_most(0)); \
}
if (is_dense(events)) { \
    set cblabel "calls" font little_font; \
    set cbtics font little_font; \
    set rmargin -1; \
}
# include: panels
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    if (is_dense(events)) { \
        unused = heat_size(heat_wide, ids); \
        stats $data index i - 1 using (missing(2) ? 0 : (fill(0), 0)) nooutput; \
        set cbrange [log(2):heat_range(most)]; \
    }; \
    set yrange [floor(low / tic_step) * tic_step:(floor(high / tic_step) + 1) * tic_step]; \
    set xrange [begin / time_unit:end / time_unit]; \
    # include: panel
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (is_dense(events)) { \
        set datafile separator whitespace; \
        eval before_plot; \
        plot sample [u=0:heat_wide - 1:1] [v=0:heat_rows - 1:1] '++' \
            using (cell_time($1)):(cell_id($2)):(heat_colour($1, $2)) with image notitle; \
        set datafile separator "\t"; \
    } else { eval before_plot; plot $data index i - 1 using (missing(2) ? NaN : $1 / time_unit):2 with points \
        pointtype (small ? 0 : 7) pointsize (n > 5000 ? 0.15 : 0.4) linecolor rgb "#0072B2"; }; \
}
# include: end
