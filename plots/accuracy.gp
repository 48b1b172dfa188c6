# How far measured times are from a reference: for each item a bar for the reference and one for
# what was measured, with the error beside them. One panel a result.
# Columns: 1 name, 2 reference, 3 measured (nanoseconds or counter units), 4 error (fraction).
small = GPVAL_TERM eq "dumb"
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
# Of a long name, the end tells more than the beginning.
shorten(name, n) = strlen(name) > n ? name[1:n / 3]."…".name[strlen(name) - n + n / 3 + 2:*] : name
shown = small ? 8 : results == 1 ? 16 : results == 2 ? 8 : 4
half = small ? 0 : 0.2

# The terminal's characters are too few for panels: there one picture follows the other. Elsewhere
# more than 6 would be too small to read.
panels = results > 1 && !small
count = panels && results > 6 ? 6 : results
columns = count <= 3 ? 1 : 2
label_width = columns == 1 ? (small ? 24 : 36) : 18
text_font = panels && count > 2 ? ",9" : ""

set border 3
set tics nomirror font text_font
set ytics scale 0
set key below samplen 2 font text_font
if (!small) { \
    set tics out; \
    set key outside right top vertical reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# Axes are in the unit that fits. A clock that is not real counts in units of its own.
has_clock = duration_unit eq "ns"
scale_of(time) = !has_clock ? (time >= 1e6 ? 1e6 : 1) : \
    time >= 2e9 ? 1e9 : time >= 2e6 ? 1e6 : time >= 2e3 ? 1e3 : 1
unit_of(scale) = !has_clock ? (scale > 1 ? "million " : "").duration_unit : \
    scale == 1e9 ? "s" : scale == 1e6 ? "ms" : scale == 1e3 ? "µs" : "ns"

# A step for the axis: 1, 2 or 5 and zeros, at most so many.
step(range, most) = (least = 1.0 * range / most, power = 10.0**floor(log10(least)), \
    power * (least <= 1.000001 * power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10))

# A result without rows has one of NaN. A time may be missing.
is_row(x) = strcol(2) ne "NaN" && strcol(3) ne "NaN"
larger(a, b) = a > b ? a : b
spent(column_number) = is_row(0) && valid(column_number) ? column(column_number) / scale : 0
longest(x) = larger(spent(2), spent(3))
note(time) = (n = n + 1, high = n <= shown ? larger(high, time) : high)
comment(x) = !is_row(0) ? "" : valid(4) ? sprintf("%.2f %%", 100 * column(4)) : \
    !valid(2) ? "no reference" : !valid(3) ? "not measured" : ""
panel_title(i) = cut(panels ? result_name[i] : \
    report_title.": ".(results > 1 ? result_name[i] : trace_names), small ? 50 : 70) \
    .(n > shown ? sprintf(" (%d of %d)", shown, n) : "")
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns \
        title report_title.(count < results ? sprintf(" (%d of %d traces)", count, results) : ""); \
}
if (panels && count > 2) { \
    set xtics offset 0, 0.4; \
    set key spacing 0.8 samplen 1; \
    set tmargin 1.8; \
    set bmargin 2.5; \
}
if (panels && columns > 1) { \
    unset key; \
}
do for [i = 1:count] { \
    n = 0; high = 0.0; scale = 1.0; \
    set autoscale; \
    stats $data index i - 1 using (is_row(0) ? (note(longest(0)), 1) : 1) nooutput; \
    scale = scale_of(high); \
    set title panel_title(i) font text_font offset 0, panels && count > 2 ? -0.4 : 0; \
    set format x (scale == 1 && high >= 1e5 ? "%.0f" : "%g"); \
    set xlabel "time (".unit_of(scale).")".(panels && columns > 1 ? \
        "; above: reference, below: measured" : small ? "" : "; beside the bars: the error") \
        font text_font offset 0, panels && count > 2 ? 1 : 0; \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    range = high > 0 ? (columns == 1 && !small ? 1.15 : 1.3) * high / scale : 1.0; \
    set xrange [0:range]; \
    tic_step = step(range, columns == 1 && !small ? 8 : 5); \
    set xtics tic_step; \
    set yrange [(n < 4 ? 4 : n < shown ? n : shown) - 0.5:-0.5]; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (0):($0 - 0.2):(0):(spent(2)):($0 - 0.2 - half):($0 - 0.2 + half) \
            with boxxyerror linecolor rgb "#606060" fillstyle pattern 4 \
            border linecolor rgb "black" title "reference", \
        $data index i - 1 every ::0::shown - 1 \
            using (0):($0 + 0.2):(0):(spent(3)):($0 + 0.2 - half):($0 + 0.2 + half) \
            with boxxyerror linecolor rgb "#0072B2" fillstyle solid 1 \
            border linecolor rgb "black" title "measured", \
        $data index i - 1 every ::0::shown - 1 \
            using (longest(0)):0:(comment(0)): \
            ytic(is_row(0) ? shorten(strcol(1), label_width) : "") \
            with labels left offset 1, 0 font text_font notitle; \
}
if (panels) { \
    unset multiplot; \
}
