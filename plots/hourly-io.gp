# I/Os hour by hour: bars stacked of the classes. One panel a result, all with the same scale, as
# the papers set users side by side. Colour tells reads from writes; synchronous ones are striped.
# Columns: 1 hour, 2-6 read, readsync, write, writesync, other, 7 total.
# include: common
# include: axes

set ylabel "I/Os"
set key outside right top invert samplen 2
if (!small) { \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# 24 rows are hours of the day, unless a trace without wall clock happens to be as long.
last = 0; high = 0.0
note(hour, total) = (last = hour > last ? hour : last, high = total > high ? total : high)
stats $data using (absent(7) ? 1 : (note($1, $7), 1)) nooutput
set xlabel last == 23 ? "hour" : "hour since the start"
set xrange [-0.6:last + 0.6]
set yrange [0:high > 0 ? 1.05 * high : 1]
panel_title(i) = title_of_result(i, small ? 60 : 80)
below(c) = c < 2 ? 0 : sum [k = 2:c] column(k)
set xtics last <= 25 && !small && columns == 1 ? 1 : last <= 50 ? 3 : ceil(last / 120.0) * 12
# include: panels
if (panels && columns > 1) { set key font ",9" spacing 0.8 samplen 1 }
do for [i = 1:count] { \
    set title panel_title(i); \
    plot for [c = 2:4:2] $data index i - 1 \
            using 1:7:($1 - 0.4):($1 + 0.4):(below(c)):(below(c + 1)) with boxxyerror \
            linecolor rgb class_tint(c) fillstyle solid 1 notitle, \
        for [c = 1:5] $data index i - 1 \
            using 1:7:($1 - 0.4):($1 + 0.4):(below(c)):(below(c + 1)) with boxxyerror \
            linecolor rgb class_colour(c) fillstyle transparent pattern class_pattern(c) \
            border linecolor rgb "black" title class(c); \
}
if (panels) { unset multiplot }
