# Durations of calls in their order: one mark per call, by function; joined by a line if there are
# few. Mean, median and the longest call are marked. One panel per result, on a common scale. Marks
# that would coincide were already removed (thin).
# Columns: 1 call (its number), 3 duration (nanoseconds or counter units), 5 name, rank (of the
# function, by how many of these calls are its own; 7 for all from the seventh on), rows (number of
# calls at this place). In the first row: mean, median, max and longest (the number of that call).
# include: common
# include: axes

part_of_font = crowded ? little : 1
text_font = sized(part_of_font)
label_width = measured && panels ? 10 : larger(12, letters_in(0.22 * panel_width(0), part_of_font))

set tics font text_font
set ytics
set format x "%.0f"
set key below samplen 2 font text_font
if (!small) { \
    set key @key_place reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# Functions of a result: the most frequent have their own colour and mark; the others share the last
# one. Each row has the rank of its function. A result without rows has one row of NaN.
most = measured && panels ? 2 : small ? 4 : columns == 1 ? 6 : 4
slot_colour(s) = s > most ? 0x606060 : \
    int(word("0x0072B2 0xE69F00 0x009E73 0xCC79A7 0x56B4E9 0xD55E00", s))
slot_mark(s) = s > most ? 1 : int(word("7 9 5 13 11 15", s))
array slot_name[most + 1]
rank_column = field("rank")
rows_column = field("rows")
mean_column = field("mean")
median_column = field("median")
max_column = field("max")
longest_column = field("longest")
note(f, what, rows) = (n = n + rows, slots = larger(slots, f), f <= most ? (slot_name[f] = what) : "")
note_first(x) = (mean = column(mean_column), median = column(median_column), \
    high = column(max_column), longest = column(longest_column))
slot_of(x) = absent(1) ? 1 : int(smaller(most + 1, column(rank_column)))

# Common scale of durations for all panels.
note_least(time) = (least_time = time > 0 ? smaller(least_time, time) : least_time)
note_all(x) = (most_time = larger(most_time, column(max_column)), \
    all_median = larger(all_median, column(median_column)))
most_time = 0.0
least_time = 1e300
all_median = 0.0
stats $data using (absent(1) || !valid(3) ? 1 : (note_least(column(3)), 1)) nooutput
stats $data every ::0::0 using (absent(1) || missing(max_column) ? 1 : (note_all(0), 1)) nooutput
scale = scale_of(most_time)
is_log = all_median > 0 && most_time > 50 * all_median
bottom = is_log ? 10**floor(log10(least_time)) : 0.0
top = most_time == 0 ? 1.0 : is_log ? 10**ceil(log10(most_time) + 0.001) : 1.05 * most_time
if (most_time == 0) { exit status nothing }
if (is_log) { set logscale y; log_y = 1 }

bounded(time) = time < bottom ? bottom : time

panel_title(i) = title_and(i, small ? 50 : 70, \
    timed < n ? sprintf(" (%.0f of %.0f calls have ended)", timed, n) : "")
rounded(time) = time <= 0 ? 0 : (unit_of_digit = 10.0**(floor(log10(time)) - 3), unit_of_digit * floor(time / unit_of_digit + 0.5))
time_words(time) = is_log && !has_clock ? " ".plain(rounded(time)) : sprintf(time / scale < 1e4 ? " %.4g" : " %.0f", time / scale) \
    .(has_clock ? " ".unit_of(scale) : "")
key_name(s) = s > most ? "all others" : shorten(slot_name[s], label_width)
own_keys = 1
# include: multiplot
if (crowded && !measured) { \
    set xtics offset 0, 0.4; \
    set tmargin 1.8; \
    set bmargin 2.5; \
}
do for [i = 1:count] { \
    n = 0; timed = 0; mean = 0.0; median = 0.0; high = 0.0; longest = 0; slots = 0; \
    do for [s = 1:most] { slot_name[s] = "" }; \
    set autoscale; \
    stats $data index i - 1 using (absent(1) ? 1 : (note(slot_of(0), strcol(5), column(rows_column)), \
        valid(3) ? (timed = timed + column(rows_column)) : 0, 1)) nooutput; \
    stats $data index i - 1 every ::0::0 using (absent(1) || missing(max_column) ? 1 : (note_first(0), 1)) nooutput; \
    # include: panel
    \
    set title panel_title(i) font text_font offset 0, crowded ? -0.4 : 0; \
    set xlabel "call" font text_font offset 0, crowded ? 1 : 0; \
    set ylabel fit_y(is_log ? log_label("duration") : "duration (".unit_of(scale).")") font text_font; \
    set format y (scale == 1 && most_time >= 1e5 ? "%.0f" : "%g"); \
    set label 1 (n == 0 ? "no data" : timed > 0 ? "" : "no call has a duration") \
        at graph 0.5, graph 0.5 center; \
    set xrange [1 - (n > 100 ? 0 : 0.5):larger(1, n) + (n > 100 ? 1 : 0.5)]; \
    set yrange [bottom / scale:top / scale]; \
    if (n - 1 < (small ? 8 : 12)) { \
        set xtics 1; \
    } else { \
        set xtics autofreq; \
    }; \
    if (is_log) { eval log_tics("y", bottom / scale, top / scale, scale) }; \
    eval before_plot; \
    plot $data index i - 1 using (n <= 100 && valid(3) ? column(1) : NaN): \
            (valid(3) ? column(3) / scale : NaN): \
            (slot_colour(slot_of(0))) \
            with impulses linecolor rgb variable linewidth 1 notitle, \
        $data index i - 1 using 1: \
            (valid(3) ? bounded(column(3)) / scale : NaN): \
            (slot_mark(slot_of(0))):(slot_colour(slot_of(0))) \
            with points pointtype variable linecolor rgb variable \
            pointsize (n > 5000 ? 0.2 : n > 500 ? 0.4 : 0.8) notitle, \
        for [s = 1:slots] keyentry with points pointtype slot_mark(s) pointsize 1 \
            linecolor rgb slot_colour(s) title timed > 0 ? key_name(s) : "", \
        timed > 0 ? mean / scale : NaN with lines linecolor rgb "black" \
            linewidth 1.5 dashtype 2 title timed > 0 ? "mean".time_words(mean) : "", \
        timed > 0 ? median / scale : NaN with lines linecolor rgb "black" \
            linewidth 1.5 dashtype 3 title timed > 0 ? "median".time_words(median) : "", \
        $data index i - 1 every ::0::0 using (longest > 0 ? longest : NaN):(high / scale) with points \
            pointtype 6 pointsize 2 linecolor rgb "black" \
            title timed > 0 ? "max".time_words(high) : ""; \
}
# include: end
