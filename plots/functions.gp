# Time by function: one bar each, dark for self time, light for time in callees. The share of all
# self time and the number of calls are next to the bar. One panel per result, on a common scale.
# Columns: 1 name, 2 calls, 3 total, 4 self (nanoseconds or counter units), 8 self_share (fraction).
# include: common
# include: axes

names_font = crowded ? little : 1
label_width = name_room(names_font)
bar_name(x) = missing(2) ? "" : shorten(strcol(1), label_width)

set ytics scale 0
own_y = 1
set key below samplen 2
if (!small) { \
    set key @key_place reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# If no call ended, there are no times.
note(total) = (n = n + 1, n <= shown ? note_name(bar_name(0)) : 0, n <= shown && total > high ? (high = total) : 0)
spent(column_number) = valid(column_number) ? column(column_number) / scale : 0
calls(number) = sprintf(number == 1 ? "%.0f call" : "%.0f calls", number)
comment(x) = missing(2) ? "" : \
    (valid(8) ? sprintf("%.1f %%, ", 100 * column(8)) : "").calls(column(2)) \
    .(valid(3) ? "" : ", no time")
array n_of[count]
high = 0.0
scale = 1.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (missing(2) ? 1 : (note(spent(3)), 1)) nooutput; \
    n_of[i] = n; \
}
scale = scale_of(high)
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
# include: multiplot
if (crowded && !measured) { \
    set tics font little_font; \
    set title font little_font offset 0, -0.4; \
    set xtics offset 0, 0.4; \
    set xlabel font little_font offset 0, 1; \
    set key font little_font spacing 0.8 samplen 1; \
    set tmargin 1.8; \
    set bmargin 2.5; \
}
if (panels && columns > 1) { \
    unset key; \
}
text_font = crowded ? sized(little) : sized(0.8)
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    # include: panel
    set title panel_title(i); \
    set format x (scale == 1 && high >= 1e5 ? "%.0f" : "%g"); \
    set xlabel "time (".unit_of(scale).")".(panels && columns > 1 ? \
        "; dark: self, light: total" : ""); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    range = high > 0 ? (measured ? 2.4 : columns == 1 && !small ? 1.3 : 1.6) * high / scale : 1.0; \
    set xrange [0:range]; \
    set xtics step(range, columns == 1 ? 8 : 5); \
    set yrange [(n < 6 ? 6 : n < shown ? n : shown) - 0.5:-0.5]; \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (0):0:(0):(spent(4)):($0 - half):($0 + half): \
            ytic(bar_name(0)) with boxxyerror \
            linecolor rgb "#0072B2" fillstyle solid 1 border linecolor rgb "black" title "self", \
        $data index i - 1 every ::0::shown - 1 \
            using (0):0:(spent(4)):(spent(3)):($0 - half):($0 + half) with boxxyerror \
            linecolor rgb "#C3DFF0" fillstyle solid 1 border linecolor rgb "black" \
            title "total", \
        $data index i - 1 every ::0::shown - 1 using (spent(3)):0:(comment(0)) \
            with labels left offset 1, 0 font text_font notitle; \
}
# include: end
