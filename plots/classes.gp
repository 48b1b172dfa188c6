# I/Os by file type, block type, partition or process: one bar each, stacked by class. One panel per
# result, on a common scale. Colours distinguish reads and writes; synchronous ones are striped.
# With --share all, there are three bars each: all, reads, writes. class-shares.gp draws shares of
# rows and columns.
# Columns: 1 what is counted by, a column for each class, total; of shares also reads, writes.
# include: common
# include: axes

names_font = crowded ? little : 1
label_width = name_room(names_font)
bar_name(x) = missing(total) ? "" : cut(strcol(1), label_width)
total = field("total")

shares = field("reads") > 0
share_name(k) = word("total reads writes", k)
share_colour(k) = word("#606060 #0072B2 #E69F00", k)
share_pattern(k) = int(word("3 4 5", k))
share_value(k) = 100 * column(field(share_name(k)))
share_from(k) = $0 - half + (k - 1) * 2 * half / bars
bars = small ? 1 : 3

set xlabel fit_x(shares ? "share (%)" : "I/Os")
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

note(number) = (n = n + 1, n <= shown ? note_name(bar_name(0)) : 0, \
    high = n <= shown ? larger(high, number) : high)
largest(x) = !shares ? column(total) : bars == 1 ? share_value(1) : \
    larger(share_value(1), larger(share_value(2), share_value(3)))
array n_of[count]
high = 0.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (missing(total) ? 1 : (note(largest(0)), 1)) nooutput; \
    n_of[i] = n; \
}
if (high <= 0) { exit status nothing }
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
set xrange [0:1.05 * high]
if (small) { set xtics step(high, 4) }
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    n = n_of[i]; \
    # include: panel
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set yrange [larger(1, smaller(n, shown)) - 0.5:-0.5]; \
    if (shares) { \
        eval before_plot; \
        plot for [k = 1:bars] $data index i - 1 every ::0::shown - 1 \
            using (share_value(k)):0:(0):(share_value(k)):(share_from(k)): \
            (share_from(k + 1)):ytic(bar_name(0)) \
            with boxxyerror linecolor rgb share_colour(k) fillstyle pattern share_pattern(k) \
            border linecolor rgb "black" title share_name(k); \
    } else { \
        eval before_plot; \
        plot for [c = 2:4:2] $data index i - 1 every ::0::shown - 1 \
                using (of_class(c, column(total))):0:(class_from(c)):(class_to(c)): \
                ($0 - half):($0 + half) with boxxyerror \
                linecolor rgb class_tint(c) fillstyle solid 1 notitle, \
            for [c = 1:classes] $data index i - 1 every ::0::shown - 1 \
                using (of_class(c, column(total))):0:(class_from(c)):(class_to(c)): \
                ($0 - half):($0 + half): \
                ytic(bar_name(0)) with boxxyerror \
                linecolor rgb class_colour(c) fillstyle transparent pattern class_pattern(c) \
                border linecolor rgb "black" title class_title(c); \
    }; \
}
# include: end
