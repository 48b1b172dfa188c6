# Distribution of idle times: how many of them, and how much of their sum, are no longer than so
# long; and how much of the run time a device would be off that is switched off after so long. One
# panel a result.
# Columns: 1 timeout (nanoseconds or counter units), 3 cumulative, 5 time_cumulative, 8 off_share
# (fractions).
# include: common
# include: axes
duration(counted) = has_clock ? counted / 1e9 : counted

set xlabel fit_x("idle time".(has_clock ? " (s" : " (".duration_unit).", logarithmic)")
set ylabel fit_y("share (%)")
set format x (has_clock ? "%g" : "%.0f")
set logscale x
log_x = 1
set yrange [0:100]
set ytics 20
set key outside below horizontal samplen 3
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 4; \
}

note(length) = (n = n + 1, low = length < low ? length : low, high = length > high ? length : high)
curve(c) = word("3 5 8", c)
curve_title(c) = !measured ? (c == 1 ? "of the idle times" : c == 2 ? "of their sum" : "of the run time, off") : \
    c == 1 ? "number" : c == 2 ? "sum" : "off"
# include: panels
do for [i = 1:count] { \
    n = 0; low = 1e300; high = 0.0; \
    set autoscale x; \
    stats $data index i - 1 using (absent(1) ? 1 : (note(duration($1)), 1)) nooutput; \
    if (n == 0) { low = 0.1; high = 1 }; \
    set title title_of_result(i, small ? 50 : 70); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [low / 1.5:high * 1.5]; \
    eval before_plot; \
    plot for [c = 1:3] $data index i - 1 using (duration($1)):(100 * column(int(curve(c)))) \
        with linespoints linecolor rgb palette_colour(c) linewidth 2 dashtype palette_dashes(c) \
        pointtype palette_mark(c) pointsize 0.8 title curve_title(c); \
}
# include: end
