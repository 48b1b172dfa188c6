# I/Os in flight over time: mean and maximum of each interval; below, the share of time with any in
# flight. Common time axis. Several results have different colours.
# Columns: 1 time (seconds or counter units), depth, max, busy (a fraction).
# include: common
eval all_in_one
# include: axes
alone = 0
depth_column = field("depth")
most_column = field("max")
busy_column = field("busy")
number(c) = missing(c) ? NaN : column(c)
seen(x) = (n = n + 1, begin = smaller(begin, $1), end = larger(end, $1), \
    deepest = larger(deepest, column(most_column)))
n = 0; begin = 1e300; end = -1e300; deepest = 0
stats $data using (absent(1) ? 1 : (seen(0), 1)) nooutput
if (n == 0 || deepest <= 0) { exit status nothing }
stats $data index 0 every ::0::1 using 1 name "first" nooutput
width = first_records > 1 ? first_max - first_min : end > begin ? end - begin : 1
end = end + width
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
# include: since
# include: intervals

colour(s, of_most) = results > 1 ? palette_colour(s) : of_most ? "#56B4E9" : "#000000"
dashes(s) = results > 1 ? palette_dashes(s) : 1
key_of_one = 1
# include: key-above
name(s, what) = results < 2 ? what : compact ? name_above(s) : inside_title(s, results, 2, short_name(s, small ? 20 : 30))
key_font = sized(0.8)
set xrange [begin / time_unit:end / time_unit]
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    if (compact) { set key @key_above } else { set key @key_place }; \
    set key Left reverse samplen results > 1 ? key_sample : 2; \
    set tics font little_font; \
    set ylabel font sized(0.8); \
    set key font key_font; \
    set multiplot layout 2, 1 title title_of_all(110) \
        margins screen (measured ? 9 * letter / term_width : 0.11), screen (compact ? 0.97 : results > 1 ? 0.7 : 0.86), \
        screen foot + (measured ? 5.2 * letter / term_height : 0.11), \
        screen (measured ? top_below_key : compact ? 0.98 - 1.3 * key_rows * letter / term_height : 0.92) spacing screen (measured ? 0.08 : 0.04); \
    set xlabel ""; \
    set format x ""; \
} else { \
    set title title_of_all(60); \
    set key below samplen 2; \
}
if (foot > 0) { \
    set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
        font little_font textcolor rgb "#505050"; \
}
set ylabel fit_y(small ? "depth" : "in flight")
set yrange [0:*]
eval before_plot
plot $data index 0 \
        using ($1 / time_unit):(results > 1 ? NaN : number(most_column)) with points pointtype 7 \
        pointsize 0.35 linecolor rgb colour(1, 1) title results > 1 ? "" : "most", \
    for [s = 1:results] $data index s - 1 \
        using ($1 / time_unit):(number(depth_column)) with steps linewidth 1.3 \
        linecolor rgb colour(s, 0) dashtype dashes(s) title name(s, "mean"), \
    for [s = 1:results] $data index s - 1 \
        using (last_begin(s)):(number(depth_column)):(length_of[s] / time_unit):(0) with vectors nohead \
        linewidth 1.3 linecolor rgb colour(s, 0) dashtype dashes(s) notitle
if (!small) { \
    unset label 99; \
    set xlabel fit_x(since_label); \
    set format x "%g"; \
    set ylabel fit_y("busy (%)"); \
    set yrange [0:100]; \
    eval before_plot; \
    plot for [s = 1:results] $data index s - 1 \
        using ($1 / time_unit):(100 * number(busy_column)) with steps linewidth 1.3 \
        linecolor rgb (results > 1 ? palette_colour(s) : "#009E73") dashtype dashes(s) notitle, \
        for [s = 1:results] $data index s - 1 \
        using (last_begin(s)):(100 * number(busy_column)):(length_of[s] / time_unit):(0) with vectors nohead \
        linewidth 1.3 linecolor rgb (results > 1 ? palette_colour(s) : "#009E73") dashtype dashes(s) notitle; \
    unset multiplot; \
}
# include: remarks
