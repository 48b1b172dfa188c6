# Values of counters over time, one below the other, each with its own scale: the counters with most
# samples. A value holds until the next one; if all samples are drawn, a line shows that, also
# from the last one to the end.
# Columns: 1 time (seconds or counter units), 2 counter, value, rank, rows.
# include: common
eval all_in_one
# include: axes
alone = 0
value = field("value"); rank = field("rank")
most = small ? larger(int((term_height - 6) / 6), 1) : 7
each = larger(most / results, 1) # of a result
chosen = smaller(results, most)
panels_most = chosen * each
array name[panels_most]
array low[panels_most]
array high[panels_most]
array last_time[panels_most]
array last_value[panels_most]
do for [p = 1:panels_most] { name[p] = ""; low[p] = 1e300; high[p] = -1e300 }
note(p) = (name[p] = strcol(2), last_time[p] = $1, last_value[p] = column(value), low[p] = smaller(low[p], column(value)), high[p] = larger(high[p], column(value)))
seen(i) = (begin = smaller(begin, $1), end = larger(end, $1), thinned = thinned || column(field("rows")) > 1, \
    column(rank) <= each ? note((i - 1) * each + int(column(rank))) : 0)
begin = 1e300; end = -1e300; thinned = 0; counters = 0
do for [i = 1:results] { \
    most_rank = 0; \
    stats $data index i - 1 using (absent(1) ? 1 : \
        (most_rank = larger(most_rank, column(rank)), i > chosen ? 0 : seen(i), 1)) nooutput; \
    counters = counters + most_rank; \
}
if (end < begin) { exit status nothing }
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
if (end <= begin) { end = begin + 1 }
# include: since
drawn = sum [p = 1:panels_most] (name[p] ne "")
samples = '$data index (p - 1) / each using (!absent(1) && column(rank) == (p - 1) % each + 1 ? $1 / time_unit : NaN):value'
lines = thinned ? "" : samples." with steps linewidth 1.3 linecolor rgb palette_colour((p - 1) % each + 1), "
# Samples of other counters do not interrupt a line.
set datafile missing NaN
set xrange [begin / time_unit:end / time_unit]
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set tics font little_font; \
    set title font little_font offset 0, -0.8; \
    set multiplot layout drawn, 1 title title_of_all_and(110, some_of_all(drawn, counters, "counters")) \
        margins screen (compact ? 0.15 : 0.09), screen 0.97, screen foot + (compact ? 0.19 : 0.11), \
        screen (compact ? 0.88 : 0.9) spacing screen 0.01 + 1.2 * letter / term_height; \
} else { set multiplot layout drawn, 1 title title_of_all_and(60, some_of_all(drawn, counters, "counters")) }
set key off noautotitle
shown = 0
do for [p = 1:panels_most] { \
    if (name[p] ne "") { \
        shown = shown + 1; \
        set title shorten(name[p], small ? 40 : 80).(results > 1 ? ", ".short_name((p - 1) / each + 1, 30) : ""); \
        if (shown < drawn) { set xlabel ""; set format x "" } else { set xlabel fit_x(since_label); set format x "%g" }; \
        unset label 99; \
        if (foot > 0 && shown == 1) { \
            set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
                font little_font textcolor rgb "#505050"; \
        }; \
        bottom = smaller(low[p], 0); top = high[p] > bottom ? high[p] : bottom + 1; \
        set yrange [bottom:top + 0.1 * (top - bottom)]; \
        set ytics step(top - bottom, 2); \
        set format y (larger(top, -bottom) >= 1e4 ? "%.1s%c" : "%g"); \
        unset arrow 1; \
        if (!thinned) { \
            set arrow 1 from last_time[p] / time_unit, last_value[p] to end / time_unit, last_value[p] nohead \
                linewidth 1.3 linecolor rgb palette_colour((p - 1) % each + 1); \
        }; \
        eval before_plot; \
        plot @lines @samples with points pointtype 7 pointsize 0.35 linecolor rgb palette_colour((p - 1) % each + 1); \
    } \
}
unset multiplot
# include: remarks
