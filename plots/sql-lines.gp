# Rows of a statement, number by number: points, joined by lines if x never decreases. If there are
# too many series to distinguish, the first ones. With --logx the x axis is logarithmic; values up
# to 0 are omitted.
# Columns: 1 x, 2 y, and with three columns 3 the name of the series.
# include: common
# include: axes
most_series = 14
has_series = field("series") > 0
name_of(x) = has_series ? (strlen(strcol(3)) > 0 ? strcol(3) : "(none)") : axis[2]

# Series in order of appearance, and the last x of each.
array series[most_series + 1]
array last[most_series + 1]
log_axis = exists("wants_log_x")
has_place(x) = valid(1) && valid(2) && strcol(1) ne "NaN" && (!log_axis || column(1) > 0)
found = 0; others = 0; placeless = 0; points = 0; back = 0
low = 1e300; high = -1e300; least = 1e300; most = -1e300
place(name) = (at = 0, unused = found < 1 ? 0 : sum [k = 1:found] (series[k] eq name ? (at = k) : 0), at)
begin_series(name) = found < most_series ? (found = found + 1, (series[found] = name), (last[found] = -1e308), found) : 0
series_of(name) = place(name) > 0 ? at : begin_series(name)
note(s, x, y) = s == 0 ? (others = others + 1) : (points = points + 1, back = back + (x < last[s]), (last[s] = x), \
    low = smaller(low, x), high = larger(high, x), least = smaller(least, y), most = larger(most, y))
stats $data using (has_place(0) ? (note(series_of(name_of(0)), column(1), column(2)), 0) : \
    (placeless = placeless + (valid(1) && valid(2) && strcol(1) ne "NaN"), 0)) nooutput
if (points < 1) { exit status nothing }

left_out = others > 0 ? sprintf(" (%d series; %.0f rows of others left out)", found, others) : ""
if (placeless > 0) { left_out = left_out.sprintf(" (left out: %s not above 0 in %.0f %s)", axis[1], placeless, placeless == 1 ? "row" : "rows") }
set title (given_title ne "" ? given_title : cut(axis[2]." by ".axis[1], title_room(60))).left_out
set xlabel fit_x(axis[1].(log_axis ? ", log scale" : ""))
set ylabel fit_y(axis[2])
if (has_series) { set key @key_place samplen key_sample } else { unset key }
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set key reverse Left; \
}
set format "%.10g"
if (low == high) { low = log_axis ? low / 2 : low - 1; high = log_axis ? high * 2 : high + 1 }
set xrange [low:high]
if (log_axis) { set logscale x; log_x = 1 }
# The axis begins at 0 unless the values are far from it.
if (least == most) { set yrange [least - 1:most + 1] }
if (least > 0 && least < 0.6 * most) { set yrange [0:*] }
# Missing values do not interrupt a line.
set datafile missing NaN
marks = back > 0 || points <= 60 * found
is_of(s) = !has_place(0) ? 0 : found == 1 || name_of(0) eq series[s]
# include: foot
if (log_axis) { eval log_tics("x", low, high, 0) }
if (back > 0) { \
    eval before_plot; \
    plot for [s = 1:found] $data using (is_of(s) ? column(1) : NaN):2 with points \
        linecolor rgb palette_colour(s) pointtype palette_mark(s) pointsize 0.8 title series[s]; \
} else { if (marks) { \
    eval before_plot; \
    plot for [s = 1:found] $data using (is_of(s) ? column(1) : NaN):2 with linespoints \
        linecolor rgb palette_colour(s) linewidth 2 dashtype palette_dashes(s) \
        pointtype palette_mark(s) pointsize 0.8 title series[s]; \
} else { \
    eval before_plot; \
    plot for [s = 1:found] $data using (is_of(s) ? column(1) : NaN):2 with lines \
        linecolor rgb palette_colour(s) linewidth 2 dashtype palette_dashes(s) title series[s]; \
} }
# include: remarks
