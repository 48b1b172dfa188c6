# Rates over time, one below the other on a common time axis: bytes, events per second, durations,
# and depth. Quantities that no row has are omitted. A single result distinguishes reads and writes,
# if it has them; several results are distinguished from each other.
# Columns: 1 time (seconds or counter units), count, iops or rate, read_rate, write_rate, mean, max,
# depth.
# include: common
eval all_in_one
# include: axes
alone = 0
counts = field("count")
per_second = field("iops") > 0 ? field("iops") : field("rate")
number(c) = c > 0 && !missing(c) ? column(c) : NaN
known(c) = c > 0 && !missing(c) ? column(c) : 0
moved(x) = known(field("read_rate")) + known(field("write_rate"))
seen(x) = (n = n + 1, begin = smaller(begin, $1), end = larger(end, $1), \
    most_moved = larger(most_moved, moved(0)), most_rate = larger(most_rate, known(per_second)), \
    most_count = larger(most_count, known(counts)), longest = larger(longest, known(field("max"))), \
    deepest = larger(deepest, known(field("depth"))))
n = 0; begin = 1e300; end = -1e300; step_of = 0
most_moved = 0; most_rate = 0; most_count = 0; longest = 0; deepest = 0
stats $data using (absent(1) ? 1 : (seen(0), 1)) nooutput
if (most_count <= 0) { exit status nothing }
stats $data index 0 every ::0::1 using 1 name "first" nooutput
width = first_records > 1 ? first_max - first_min : end > begin ? end - begin : 1
end = end + width
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
# include: since
# include: intervals

rate_shown = most_rate > 0 ? per_second : counts
unit = most_moved >= 2e9 ? 1e9 : most_moved >= 2e6 ? 1e6 : most_moved >= 2e3 ? 1e3 : 1
unit_name = unit == 1e9 ? "GB/s" : unit == 1e6 ? "MB/s" : unit == 1e3 ? "kB/s" : "bytes/s"
scale = scale_of(larger(longest, 1))
panel_kinds = (most_moved > 0 ? "moved " : "")."rate ".(longest > 0 ? "latency " : "").(deepest > 0 ? "depth" : "")
kinds = words(panel_kinds)
y_label(k) = k eq "moved" ? unit_name : k eq "rate" ? (most_rate > 0 ? (compact ? "per s" : "per second") : "count") : \
    k eq "latency" ? (small || compact ? "" : "time, ").(compact && !has_clock ? (scale > 1 ? "M units" : "units") : unit_of(scale)) : small || is_tex ? "depth" : "in flight"
most_of(k) = k eq "moved" ? most_moved / unit : k eq "rate" ? (most_rate > 0 ? most_rate : most_count) : \
    k eq "latency" ? longest / scale : deepest
# Lines of a panel: two for one result, else one per result.
lines_of(k) = results > 1 ? results : k eq "moved" || k eq "latency" ? 2 : 1
drawn_value(k, s) = k eq "rate" ? number(rate_shown) : k eq "depth" ? number(field("depth")) : \
    k eq "moved" ? (results > 1 ? moved(0) : known(field(s == 1 ? "read_rate" : "write_rate"))) / unit : \
    number(field(results > 1 || s == 2 ? "mean" : "max")) / scale
key_of_one = most_moved > 0
# include: key-above
line_title(k, s) = results > 1 ? (k ne word(panel_kinds, 1) ? "" : compact ? name_above(s) : \
    inside_title(s, results, kinds, short_name(s, small ? 20 : 30))) : \
    k eq "moved" ? (s == 1 ? "read" : "written") : k eq "latency" ? (s == 1 ? "longest" : "mean").(compact ? " time" : "") : ""
line_colour(k, s) = results > 1 ? palette_colour(s) : k eq "moved" ? class_colour(s == 1 ? 1 : 3) : \
    k eq "latency" ? (s == 1 ? "#56B4E9" : "#000000") : palette_colour(3)
line_dashes(s) = results > 1 ? palette_dashes(s) : 1
line_mark(s) = results > 1 ? palette_mark(s) : 7
index_of(s) = results > 1 ? s - 1 : 0

key_font = sized(0.8)
set xrange [begin / time_unit:end / time_unit]
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set key @key_above Left reverse samplen results > 1 ? key_sample : 2; \
    set tics font little_font; \
    set ylabel font sized(0.8); \
    set key font key_font; \
} else { \
    set key below samplen 2; \
}
if (!small) { \
    set multiplot layout kinds, 1 title title_of_all(110) \
        margins screen (measured ? 9 * letter / term_width : compact ? 0.18 : larger(0.11, 7.5 * letter_drawn / term_width)), screen (compact ? 0.97 : results > 1 ? 0.7 : 0.86), \
        screen foot + (measured ? 5.2 * letter / term_height : compact ? 0.19 : 0.11), \
        screen (measured ? top_below_key : compact ? 0.98 - 1.3 * key_rows * letter / term_height : 0.92) spacing screen (measured ? (longest > 0 ? 1.15 : 0.8) * letter / term_height : compact ? 0.08 : 0.03); \
}
do for [p = 1:small ? 1 : kinds] { \
    kind = small && kinds > 1 && most_moved > 0 ? "rate" : word(panel_kinds, p); \
    if (small) { set title title_of_all(60) }; \
    set ylabel fit_y(y_label(kind)); \
    if (p < kinds && !small) { set xlabel ""; set format x "" } else { set xlabel since_label; set format x "%g" }; \
    unset label 99; \
    if (foot > 0 && p == 1) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
    set yrange [0:*]; \
    if (compact) { set format y (most_of(kind) >= 1e4 ? "%.0s%c" : "%g") }; \
    if (compact) { set ytics step(larger(most_of(kind), 1e-9), 2) }; \
    if (kind eq "latency") { \
        eval before_plot; \
        plot for [s = 1:lines_of(kind)] $data index index_of(s) \
            using ($1 / time_unit):(drawn_value(kind, s)) with points pointtype line_mark(s) \
            pointsize 0.35 linecolor rgb line_colour(kind, s) title line_title(kind, s) \
    } else { \
        eval before_plot; \
        plot for [s = 1:lines_of(kind)] $data index index_of(s) \
            using ($1 / time_unit):(drawn_value(kind, s)) with steps linewidth 1.3 \
            linecolor rgb line_colour(kind, s) dashtype line_dashes(s) title line_title(kind, s), \
            for [s = 1:lines_of(kind)] $data index index_of(s) \
            using (last_begin(index_of(s) + 1)):(drawn_value(kind, s)):(length_of[index_of(s) + 1] / time_unit):(0) \
            with vectors nohead linewidth 1.3 linecolor rgb line_colour(kind, s) dashtype line_dashes(s) notitle; \
    }; \
}
if (!small) { unset multiplot }
# include: remarks
