# Runs of sequential I/Os: cumulative share of the I/Os in runs up to this length, and (dashed) of
# the runs, for reads and writes. One panel per result, on common axes; or all overlaid, with the
# shares of the I/Os only.
# layouts: panels overlay
# Columns: 1 class (read, write), 2 length (I/Os), cumulative, ios_cumulative (fractions).
# include: common
# include: axes
runs_share = field("cumulative")
ios_share = field("ios_cumulative")
set xlabel fit_x("I/Os in the run, log scale")
set ylabel fit_y(small || count > 2 || (measured && panels) ? "share (%)" : "cumulative share (%)")
set logscale x 2
log_x = 2
set format x "%.0f"
set yrange [0:100]
set ytics 20
set key @key_place Left reverse samplen key_sample
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
high = 0.0
seen = ""
see(class) = strstrt(seen, class) > 0 ? 0 : (seen = seen.class." ")
stats $data using (absent(2) ? 1 : (high = larger(high, $2), see(strcol(1)), 1)) nooutput
if (high <= 0) { exit status nothing }
set xrange [0.8:2.5 * high]
class_title(k, what) = strstrt(seen, word("read write", k)) > 0 ? word("read write", k).": ".what : ""
brief = over && (measured || results > 4)
entries = over ? (brief ? results + 2 : 2 * results) : 4
if (measured && over) { set key maxcols key_columns(entries, 8) }
entry(i, k) = (k - 1) * results + i
title_over(i, k) = strstrt(seen, word("read write", k)) == 0 ? "" : brief && k > 1 ? "" : key_title(entry(i, k), entries, \
    short_name(i, key_room(entries, small ? 18 : 24)).(brief ? "" : ": ".word("read write", k)))
drawn(k, c) = absent(2) || strcol(1) ne word("read write", k) ? NaN : 100 * column(c)
# include: panels
if (crowded) { set key font little_font spacing 0.95 }
do for [i = 1:count] { \
    # include: panel
    set title title_of_part(i, small ? 50 : 70); \
    eval before_plot; \
    if (over) { \
        plot for [k = 1:2] for [r = 1:results] $data index r - 1 using 2:(drawn(k, ios_share)) with linespoints \
            linecolor rgb palette_colour(r) linewidth 2 dashtype k pointtype palette_mark(r) \
            pointsize 0.6 title title_over(r, k), \
            for [k = 1:brief ? 2 : 0] keyentry with lines linecolor rgb "black" linewidth 2 dashtype k title word("read write", k); \
    } else { \
        plot for [k = 1:2] $data index i - 1 using 2:(drawn(k, ios_share)) with linespoints \
            linecolor rgb class_colour(k == 1 ? 1 : 3) linewidth 2 dashtype 1 pointtype (k == 1 ? 7 : 5) \
            pointsize 0.6 title class_title(k, "I/Os"), \
        for [k = 1:2] $data index i - 1 using 2:(drawn(k, runs_share)) with linespoints \
            linecolor rgb class_colour(k == 1 ? 1 : 3) linewidth 1.5 dashtype 2 pointtype (k == 1 ? 6 : 4) \
            pointsize 0.6 title class_title(k, "runs"); \
    }; \
}
# include: end
