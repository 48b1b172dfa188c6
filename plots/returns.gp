# Return codes: one bar per function and code, by frequency, most frequent first. One panel per
# result, on a common scale.
# Columns: 1 name, 2 return, count; of calls 3 error, too.
# include: common
# include: axes

names_font = crowded ? little : 1
label_width = name_room(names_font)
most_tics = small || columns > 1 ? 5 : 8
text_font = sized(crowded ? little : 1)

set tics font text_font
set ytics scale 0
own_y = 1
set key off noautotitle
if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

# Step of the axis: 1, 2 or 5 times a power of ten, for at most so many steps; at least 1.
whole_step(range, most) = range <= most ? 1 : step(range, most)

counted = field("count")
note(number) = (n = n + 1, n <= shown ? note_name(label(0)) : 0, high = n <= shown ? larger(high, number) : high)
failed = field("error")
error_name(x) = failed > 0 && strlen(strcol(failed)) > 0 && strcol(failed) ne "NaN" ? " ".strcol(failed) : ""
code(x) = valid(2) ? sprintf(" = %.0f", column(2)).error_name(0) : ""
label(x) = missing(counted) ? "" : shorten(strcol(1), label_width - strlen(code(0))).code(0)
array n_of[count]
high = 0.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (missing(counted) ? 1 : (note(column(counted)), 1)) nooutput; \
    n_of[i] = n; \
}
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
own_keys = 1
# include: multiplot
if (crowded && !measured) { \
    set xtics offset 0, 0.4; \
    set tmargin 1.8; \
    set bmargin 2.5; \
}
do for [i = 1:count] { \
    n = n_of[i]; \
    set autoscale; \
    # include: panel
    set title panel_title(i) font text_font offset 0, crowded ? -0.4 : 0; \
    unit = high >= 1e6 ? 1e6 : 1; \
    set format x (unit > 1 ? "%g" : "%.0f"); \
    set xlabel unit > 1 ? "times returned (millions)" : "times returned" \
        font text_font offset 0, crowded ? 1 : 0; \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    range = high > 0 ? (columns == 1 ? 1.15 : 1.3) * high / unit : 1.0; \
    set xrange [0:range]; \
    tic_step = unit == 1 ? whole_step(range, most_tics) : step(range, most_tics); \
    set xtics tic_step; \
    set yrange [(n < 6 ? 6 : n < shown ? n : shown) - 0.5:-0.5]; \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (0):0:(0):(missing(counted) ? 0 : column(counted) / unit):($0 - half):($0 + half):ytic(label(0)) \
            with boxxyerror linecolor rgb "#0072B2" fillstyle solid 1 \
            border linecolor rgb "black" title "times returned", \
        $data index i - 1 every ::0::shown - 1 \
            using (missing(counted) ? 0 : column(counted) / unit):0:(missing(counted) ? "" : sprintf("%.0f", column(counted))) \
            with labels left offset 1, 0 font text_font title "times returned"; \
}
# include: end
