# I/Os by file type, block type, partition or process: a bar for each, stacked of the classes. One
# panel a result. Colour tells reads from writes; synchronous ones are striped.
# Columns: 1 what is counted by, 2-6 read, readsync, write, writesync, other, 7 total.
# include: common
# include: axes

label_width = columns == 1 ? 30 : 15

set xlabel "I/Os"
set key outside right top samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

note(total) = (n = n + 1, high = total > high ? total : high)
panel_title(i) = title_of_result(i, small ? 50 : 70).shown_of(n)
left(c) = c < 2 ? 0 : sum [k = 2:c] column(k)
# include: panels
if (panels && columns > 1) { set key font ",9" spacing 0.8 samplen 1 }
do for [i = 1:count] { \
    n = 0; high = 0.0; \
    set autoscale; \
    stats $data index i - 1 using (absent(7) ? 1 : (note($7), 1)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (small && high > 0) { \
        step = 10**floor(log10(high)); \
        set xtics high / step > 4 ? 2 * step : step; \
    }; \
    set xrange [0:high > 0 ? 1.05 * high : 1]; \
    set yrange [(n < shown ? (n > 0 ? n : 1) : shown) - 0.5:-0.5]; \
    plot for [c = 2:4:2] $data index i - 1 every ::0::shown - 1 \
            using 7:0:(left(c)):(left(c + 1)):($0 - half):($0 + half) with boxxyerror \
            linecolor rgb class_tint(c) fillstyle solid 1 notitle, \
        for [c = 1:5] $data index i - 1 every ::0::shown - 1 \
            using 7:0:(left(c)):(left(c + 1)):($0 - half):($0 + half): \
            ytic(cut(strcol(1), label_width)) with boxxyerror \
            linecolor rgb class_colour(c) fillstyle transparent pattern class_pattern(c) \
            border linecolor rgb "black" title class(c); \
}
if (panels) { unset multiplot }
