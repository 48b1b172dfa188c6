# Distribution of idle times: cumulative share of their number and of their sum, and share of the
# run time that a device would be off with this timeout. With --ccdf, share of longer ones, on
# logarithmic axes. One panel per result, on a common scale; or the numbers of all results overlaid.
# layouts: panels overlay
# Columns: 1 timeout (nanoseconds or counter units), 2 count, 3 cumulative, 5 time_cumulative, 8 off_share
# (fractions), beyond (how many are longer).
# include: common
# include: axes
beyond = field("beyond")
curves = beyond > 0 || over ? 1 : 3
idle = strstrt(report_title, "idle") > 0
set xlabel fit_x(log_label(idle ? "idle time" : strstrt(report_title, "between") > 0 ? "time between calls" : "time without a running thread"))
set ylabel fit_y(beyond > 0 ? (small || count > 1 ? "longer (%)" : "share of those longer (%), log scale") : curves == 1 && !small ? "cumulative share (%)" : "share (%)")
set logscale x
log_x = 1

# The first row gives the total: the longer ones and its own.
array all[results]
array n_of[results]
note(length) = (n = n + 1, low = smaller(low, length), high = larger(high, length))
share_beyond(i) = 100.0 * column(beyond) / all[i]
note_beyond(i) = (all[i] == 0 ? (all[i] = column(beyond) + $2) : 0, \
    column(beyond) > 0 ? (rarest = smaller(rarest, share_beyond(i))) : 0)
low = 1e300; high = 0.0; rarest = 100.0; n = 0
do for [i = 1:results] { \
    all[i] = 0; \
    n = 0; \
    stats $data index i - 1 using (absent(1) ? 1 : (note($1), beyond > 0 ? note_beyond(i) : 0, 1)) nooutput; \
    n_of[i] = n; \
}
if (high <= 0) { exit status nothing }
begin = low / 1.5
end = high * 1.5
bottom = 10**floor(log10(rarest) - 1e-9)
set xrange [begin:end]
if (beyond > 0) { set logscale y; log_y = 1; set yrange [bottom:100] } else { set yrange [0:100]; set ytics 20 }
curve(c) = int(word("3 5 8", c))
height(i, c) = beyond == 0 ? 100 * column(curve(c)) : column(beyond) > 0 ? share_beyond(i) : bottom
look_of(i, c) = curves > 1 ? c : i
curve_title(i, c) = over ? key_title(i, results, short_name(i, key_room(results, 30))) : \
    beyond > 0 ? "" : !measured ? (c == 1 ? (idle ? "of the idle times" : "of these times") : c == 2 ? "of their sum" : "of the run time, off") : \
    c == 1 ? "number" : c == 2 ? "sum" : "off"
if (over || measured || crowded) { set key @key_place Left reverse width 0 samplen key_sample } else { set key @key_below samplen key_sample }
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    if (measured || !(over || crowded)) { set rmargin 4 }; \
}
if (measured && over) { set key maxcols key_columns(results, 8) }
# include: panels
if (crowded) { set key font little_font spacing 0.95 }
do for [i = 1:count] { \
    # include: panel
    set title title_of_part(i, small ? 50 : 70); \
    set label 1 (n_of[i] > 0 || over ? "" : "no data") at graph 0.5, graph 0.5 center; \
    eval log_tics("x", begin, end, 1); \
    if (beyond > 0) { eval log_tics("y", bottom, 100, 0) }; \
    eval before_plot; \
    plot for [r = first_of(i):last_of(i)] for [c = 1:curves] $data index r - 1 \
        using (absent(1) ? NaN : $1):(absent(1) ? NaN : height(r, c)) with linespoints linecolor rgb palette_colour(look_of(r, c)) \
        linewidth 2 dashtype palette_dashes(look_of(r, c)) pointtype palette_mark(look_of(r, c)) pointsize 0.8 title curve_title(r, c); \
}
# include: end
