# Sectors over time: one mark per I/O, by class. One panel per result, on common scales. Rows that
# would coincide were already removed (thin). Reads are drawn over writes. With more than 20000
# I/Os, a grid shows the number that begins in each cell, of all classes.
# Columns: 1 time (seconds since the start), 2 id (first sector), 3 name (class), rows.
# include: common
# include: axes
# include: heat
weight = field("rows")
mark(c) = int(word("7 6 9 8 2 1", c))

# The time axis begins at 0 unless the first event is before it, or far from it (--from).
set key @key_place samplen 1
if (!small) { \
    set key reverse Left; \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

note(time, sector, name) = (all = all + 1, events = events + column(weight), high = larger(high, sector), \
    begin = smaller(begin, time), end = larger(end, time), \
    seen = strstrt(seen, " ".name." ") ? seen : seen.name." ")
array class_name[classes]
do for [c = 1:classes] { class_name[c] = class(c) }
all = 0; events = 0; high = 0; begin = 1e300; end = 0.0; seen = " "
array n_of[count]
do for [i = 1:count] { \
    n_of[i] = -all; \
    stats $data index i - 1 using (missing(2) ? 0 : (note($1, $2, strcol(3)), 0)) nooutput; \
    n_of[i] = n_of[i] + all; \
}
if (all == 0) { exit status nothing }
seen_classes = ""
do for [c = classes:1:-1] { \
    if (strstrt(seen, " ".class(c)." ")) { seen_classes = seen_classes." ".sprintf("%d", c) } \
}
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { begin = 0.0; end = end > 0 ? end : 1.0 }
# include: since
unit = high >= 2e6 ? 1e6 : 1
set ylabel fit_y(unit > 1 ? "sector (millions)" : "sector")
panel_title(i) = title_of_result(i, small ? 60 : 80)

# The grid, and the middle of a cell.
fill(x) = heat_add(1.0 * heat_wide * ($1 - begin) / (end - begin), 1.0 * heat_high * $2 / larger(high, 1), column(weight))
cell_time(u) = (begin + (u + 0.5) / heat_wide * (end - begin)) / time_unit
cell_sector(v) = (v + 0.5) / heat_high * larger(high, 1) / unit
most = 0
do for [i = 1:is_dense(events) ? count : 0] { \
    unused = heat_size(heat_wide, heat_high); \
    stats $data index i - 1 using (missing(2) ? 0 : (fill(0), 0)) nooutput; \
    most = larger(most, heat_most(0)); \
}
if (is_dense(events)) { \
    unset key; \
    set cblabel "I/Os" font little_font; \
    set cbtics font little_font; \
}
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    if (is_dense(events)) { \
        unused = heat_size(heat_wide, heat_high); \
        stats $data index i - 1 using (missing(2) ? 0 : (fill(0), 0)) nooutput; \
        set cbrange [log(2):heat_range(most)]; \
    }; \
    set xrange [begin / time_unit:end / time_unit]; \
    set yrange [-0.02 * high / unit:high > 0 ? 1.02 * high / unit : 1]; \
    # include: panel
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (is_dense(events)) { \
        set datafile separator whitespace; \
        eval before_plot; \
        plot sample [u=0:heat_wide - 1:1] [v=0:heat_high - 1:1] '++' \
            using (cell_time($1)):(cell_sector($2)):(heat_colour($1, $2)) with image notitle; \
        set datafile separator "\t"; \
    } else { eval before_plot; plot for [c in seen_classes] $data index i - 1 \
            using (strcol(3) eq class_name[int(c)] ? $1 / time_unit : NaN):($2 / unit) with points notitle \
            pointtype mark(int(c)) pointsize (n > 100000 ? 0.55 : n > 5000 ? 0.35 : 0.8) \
            linecolor rgb class_colour(int(c)), \
        for [c = 1:classes] keyentry with points pointtype mark(c) pointsize 1 \
            linecolor rgb class_colour(c) title strstrt(seen, " ".class(c)." ") ? class(c) : ""; }; \
}
# include: end
