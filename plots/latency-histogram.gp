# Histogram of I/O times: one bar per doubling, stacked by class. One panel per result, on common
# scales. Colours distinguish reads and writes; synchronous ones are striped.
# Columns: 1 from, 2 to (nanoseconds or counter units), a column for each class, total.
# include: common
# include: axes
# include: time-groups
total = field("total")

set ylabel fit_y("I/Os")
set xlabel fit_x(time_label.(has_clock ? "" : " (".duration_unit.")").", log scale")
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# A bar lies between its bounds, which are powers of two; the first may begin at 0.
place(time) = time < 1 ? -1 : log(time) / log(2.0)
note(from, to, number) = (low = smaller(low, place(from)), last = larger(last, place(to)), \
    high = larger(high, number))
low = 1e300; last = 0.0; high = 0.0
stats $data using (missing(total) ? 1 : (note($1, $2, column(total)), 1)) nooutput
if (high <= 0) { exit status nothing }
set xrange [low - 0.2:last + 0.2]
set yrange [0:1.05 * high]
tic_step = larger(1, ceil((last - low) / (small ? 7.0 : measured && pass == 2 ? larger(2, x_room[1] / 5.2) : columns > 1 || measured ? 6.0 : 12.0)))
own_x = 1
set xtics (low < 0 ? "0" : in_words(2.0**low) low)
do for [k = 1:int(last - low)] { \
    if (k % tic_step == 0) { set xtics add (in_words(2.0**(low + k)) low + k) } \
}
panel_title(i) = title_of_result(i, small ? 60 : 80)
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    # include: panel
    set title panel_title(i); \
    eval before_plot; \
    plot for [c = 2:4:2] $data index i - 1 \
            using (of_class(c, 0)):total:(place($1)):(place($2)): \
            (class_from(c)):(class_to(c)) with boxxyerror \
            linecolor rgb class_tint(c) fillstyle solid 1 notitle, \
        for [c = 1:classes] $data index i - 1 \
            using (of_class(c, 0)):total:(place($1)):(place($2)): \
            (class_from(c)):(class_to(c)) with boxxyerror \
            linecolor rgb class_colour(c) fillstyle transparent pattern class_pattern(c) \
            border linecolor rgb "black" title class_title(c); \
}
# include: end
