# Index of dispersion by length of the window, one line per result. It is constantly 1 for
# independent random events. The legend has the statistics of the gaps. All results overlaid, or in a
# panel each.
# layouts: overlay panels
# Columns: 1 measure, 2 window (nanoseconds or counter units), value.
# include: common
# include: overlay
# include: axes
value = field("value")
is_row(x) = strcol(1) eq "IDC" && !missing(2) && !missing(value)
window(x) = $2
set xlabel fit_x(log_label("length of the window"))
set ylabel fit_y(small || count > 2 ? "IDC" : compact ? "variance / mean of counts" : "index of dispersion (variance / mean of counts), log scale")
set logscale xy
log_x = 1
log_y = 1
set key inside left top vertical Left reverse samplen key_sample
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
note(x) = (n = n + 1, least = smaller(least, window(0)), most = larger(most, window(0)), \
    low = column(value) > 0 ? smaller(low, column(value)) : low, high = larger(high, column(value)))
n = 0; least = 1e300; most = 0.0; low = 1.0; high = 1.0
stats $data using (is_row(0) ? (note(0), 1) : 1) nooutput
if (n == 0) { exit status nothing }
low = 10**floor(log10(low / 1.5))
high = 10**ceil(log10(high * 1.5))
begin = least / 2
end = most * 2
set xrange [begin:end]
set yrange [low:high]
array figures[results]
do for [i = 1:results] { figures[i] = "" }
add_figure(i) = strcol(1) eq "IDC" || strcol(1) eq "B_n" || missing(value) ? 0 : \
    (figures[i] = figures[i].sprintf("%s%s %.3g", figures[i] eq "" ? "" : ", ", strcol(1), column(value)), 1)
do for [i = 1:results] { \
    stats $data index i - 1 using (absent(value) && strcol(1) eq "NaN" ? 1 : (add_figure(i), 1)) nooutput; \
}
line_title(i) = !over ? (measured ? cut(figures[i], key_room(1, 60)) : figures[i]) : key_title(i, results, \
    shorten(result_name[i].(figures[i] eq "" || measured || results > 7 ? "" : ": ".figures[i]), key_room(results, small ? 20 : 60)))
if ((over && results > 3) || compact) { set key @key_place Left reverse samplen key_sample maxcols compact ? key_columns(results + 1, 8) : 3 }
# include: panels
do for [i = 1:count] { \
    # include: panel
    set title title_of_part(i, small ? 50 : 80); \
    eval log_tics("x", begin, end, 1); \
    eval log_tics("y", low, high, 0); \
    eval before_plot; \
    plot 1 with lines linecolor rgb "#909090" dashtype 3 title measured && over ? "chance" : "by chance (Poisson)", \
        for [r = first_of(i):last_of(i)] $data index r - 1 using (is_row(0) ? window(0) : NaN): \
            (is_row(0) ? larger(column(value), low) : NaN) with linespoints linecolor rgb palette_colour(r) linewidth 2 \
            dashtype palette_dashes(r) pointtype palette_mark(r) pointsize 0.8 title line_title(r); \
}
# include: end
