# Age of files at deletion, by file type: a line from the youngest to the oldest, with marks at the
# 50th and 90th percentile and at the maximum. One panel per result, on a common scale.
# Columns: 1 file_type, 2 count, 3 min, 5 p50, 6 p90, 7 max (nanoseconds or counter units).
# include: common
# include: axes
colour(p) = word("#0072B2 #E69F00 #000000", p)
mark(p) = int(word("7 5 2", p))
percentile(p) = p + 4
name(p) = word("p50 p90 max", p)

names_font = crowded ? little : 1
shown = rows_that_fit(0)
label_width = name_room(names_font)
name_of(x) = cut(strcol(1), label_width - 12).sprintf(", n = %.0f", column(2))

set xlabel fit_x(log_label("age"))
set logscale x
log_x = 1
set ytics scale 0
own_y = 1
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# Common axis of all panels. Durations of 0 are drawn at its start, because it is logarithmic.
note(least, most) = (n = n + 1, note_name(name_of(0)), low = least > 0 && least < low ? least : low, \
    unused = sum [p = 1:3] ((time = column(percentile(p))) > 0 && time < low ? (low = time) : 0), high = most > high ? most : high)
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
n = 0
low = 1e300
high = 0.0
stats $data using (missing(7) ? 1 : (note($3, $7), 1)) nooutput
if (high <= 0) { exit status nothing }
begin = 10**floor(log10(low))
end = 10**ceil(log10(high) + 0.001)
place(column_number) = missing(7) ? NaN : \
    larger(column(column_number), begin)
set xrange [begin:end]
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    n = 0; \
    set autoscale y; \
    # include: panel
    stats $data index i - 1 using (missing(7) ? 1 : (n = n + 1, 1)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set yrange [(n < shown ? (n > 0 ? n : 1) : shown) - 0.5:-0.5]; \
    eval log_tics("x", begin, end, 1); \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (place(3)):0:(place(7) - place(3)):(0): \
            ytic(missing(7) ? "" : name_of(0)) \
            with vectors nohead linecolor rgb "#606060" linewidth 2 title "min to max", \
        for [p = 1:3] $data index i - 1 every ::0::shown - 1 using (place(percentile(p))):0 \
            with points linecolor rgb colour(p) pointtype mark(p) pointsize mark_size title name(p); \
}
# include: end
