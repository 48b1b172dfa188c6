# Measured times compared to a reference. For each item, one bar for the reference and one for the
# measurement, labelled with the error. One panel per result.
# Columns: 1 name, 2 reference, 3 measured (nanoseconds), 4 error (fraction); with several traces 5
# trace, 6 ratio of the error to the least.
# include: common
# include: axes
shown = small ? 8 : results == 1 ? int(0.8 * shown) : results == 2 ? 8 : 4
half = small ? 0 : 0.2

part_of_font = crowded ? little : 1
text_font = sized(part_of_font)
label_width = name_room(part_of_font)

set tics font text_font
set ytics scale 0
own_y = 1
set key below samplen 2 font text_font
if (!small) { \
    set key @key_place reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# A result without rows has one row of NaN. A time may be missing.
is_row(x) = strcol(2) ne "NaN" && strcol(3) ne "NaN"
spent(column_number) = is_row(0) && valid(column_number) ? column(column_number) / scale : 0
longest(x) = larger(spent(2), spent(3))
note(time) = (n = n + 1, high = n <= shown ? larger(high, time) : high)
several = 0
stats $data using (several = several || valid(6), 1) nooutput
item_label(x) = several ? shorten(strcol(1), label_width - 12).": ".shorten(strcol(5), 10) : \
    shorten(strcol(1), label_width)
names_font = part_of_font
array n_of[count]
high = 0.0
scale = 1.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (is_row(0) ? (note(longest(0)), note_name(item_label(0)), 1) : 1) nooutput; \
    n_of[i] = n; \
}
if (high <= 0) { exit status nothing }
scale = scale_of(high)
comment(x) = !is_row(0) ? "" : valid(4) ? sprintf("%.2f %%", 100 * column(4)) : \
    !valid(2) ? "no reference" : !valid(3) ? "not measured" : ""
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
# include: multiplot
if (crowded && !measured) { \
    set xtics offset 0, 0.4; \
    set key spacing 0.8 samplen 1; \
    set tmargin 1.8; \
    set bmargin 2.5; \
}
if (panels && columns > 1) { \
    unset key; \
}
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    # include: panel
    set title panel_title(i) font text_font offset 0, crowded ? -0.4 : 0; \
    set format x (scale == 1 && high >= 1e5 ? "%.0f" : "%g"); \
    set xlabel "time (".unit_of(scale).")".(panels && columns > 1 ? \
        "; above: reference, below: measured" : small ? "" : "; beside the bars: the error") \
        font text_font offset 0, crowded ? 1 : 0; \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    range = high > 0 ? (columns == 1 && !small ? 1.15 : 1.3) * high / scale : 1.0; \
    set xrange [0:range]; \
    tic_step = step(range, columns == 1 && !small ? 8 : 5); \
    set xtics tic_step; \
    set yrange [(n < 4 ? 4 : n < shown ? n : shown) - 0.5:-0.5]; \
    eval before_plot; \
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
            ytic(is_row(0) ? item_label(0) : "") \
            with labels left offset 1, 0 font text_font notitle; \
}
# include: end
