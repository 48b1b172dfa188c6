# Comparison: position of the change in the distribution of values. b / a of each quantile, with its
# confidence band; the largest value and the mean are next to them. One panel per group, on a common
# scale.
# Columns: group, quantile, ratio, low, high.
# include: common
# include: sides
own_x = 1
own_y = 1
# include: axes
quantile = field("quantile")
ratio = field("ratio")
low = field("low")
high = field("high")
is_ratio(c) = valid(c) && column(c) > 0
note(value) = (least = smaller(least, value), most = larger(most, value))
note_row(x) = (is_ratio(ratio) ? (n = n + 1, note(column(ratio))) : 0, \
    is_ratio(low) ? note(column(low)) : 0, is_ratio(high) ? note(column(high)) : 0)
n = 0
least = 1e300
most = 0.0
stats $data using (note_row(0), 1) nooutput
if (n == 0) { exit status nothing }
most_tics = small || narrow || panel_lines(0) > 1 ? 5 : 9
# include: ratios
set yrange [begin:end]
set ytics ()
own_y = 1
do for [k = 0:int(ticks) - 1] { set ytics add (tick_words(tick(k)) log2(tick(k))) }
set ylabel fit_y("b / a")
quantiles = 10
set xrange [-0.5:quantiles + 1.5]
set xtics scale 0
if (panels && narrow) { set xtics rotate offset 0, 0 }
set key off
if (!small) { set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
place(c) = is_ratio(c) ? log2(column(c)) : NaN
has_band(x) = is_ratio(low) && is_ratio(high)
# include: panels
if (panels && narrow) { set bmargin 6 }
do for [i = 1:count] { \
    n = 0; \
    # include: panel
    stats $data index i - 1 using (n = n + (is_ratio(ratio) ? 1 : 0), 0) nooutput; \
    if (i == 2) { unset label 91; unset label 92 }; \
    set title title_of_result(i, small ? 60 : 80); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xlabel fit_x(axis_name(i, "quantile")); \
    set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead linecolor rgb "black" linewidth 1; \
    eval before_plot; \
    plot $data index i - 1 every ::0::quantiles - 1 \
            using (has_band(0) ? $0 : NaN):(place(low)):(place(high)) with filledcurves \
            fillstyle solid 1 noborder linecolor rgb "#D4E8F5", \
        $data index i - 1 using (has_band(0) ? $0 : nowhere):(has_band(0) ? place(ratio) : nowhere): \
            (has_band(0) ? place(low) : nowhere):(has_band(0) ? place(high) : nowhere) \
            with yerrorbars linecolor rgb "#0072B2" linewidth 1 pointtype 0, \
        $data index i - 1 every ::0::quantiles - 1 using 0:(place(ratio)) with lines \
            linecolor rgb "#0072B2" linewidth 2, \
        $data index i - 1 using ($0):(is_ratio(ratio) ? place(ratio) : nowhere):xtic(quantile) \
            with points linecolor rgb "#0072B2" pointtype 7 pointsize 1; \
}
# include: end
