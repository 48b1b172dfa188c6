# I/Os by file type, block type, partition or process: a bar for each, stacked of the classes. One
# panel a result. Colour tells reads from writes; synchronous ones are striped.
# Columns: 1 what is counted by, 2-6 read, readsync, write, writesync, other, 7 total.
small = GPVAL_TERM eq "dumb"
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
class(c) = word("read readsync write writesync other", c)
colour(c) = word("#0072B2 #0072B2 #E69F00 #E69F00 #606060", c)
tint(c) = c == 2 ? "#D4E8F5" : "#FBEBC8"
pattern(c) = int(word("3 4 3 5 0", c))
shown = small ? 16 : results == 1 ? 20 : results == 2 ? 10 : 6
half = small ? 0 : 0.4

# The terminal's characters are too few for panels: there one picture follows the other. Elsewhere
# more than 6 would be too small to read.
panels = results > 1 && !small
count = panels && results > 6 ? 6 : results
columns = count <= 3 ? 1 : 2
label_width = columns == 1 ? 30 : 15

set xlabel "I/Os"
set border 3
set tics nomirror
set key outside right top samplen 2
if (!small) { \
    set tics out; \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# A result without rows has one of NaN.
absent(column) = strcol(1) eq "NaN" || !valid(column)
note(total) = (n = n + 1, high = total > high ? total : high)
panel_title(i) = cut(panels ? result_name[i] : \
    report_title.": ".(results > 1 ? result_name[i] : trace_names), small ? 50 : 70) \
    .(n > shown ? sprintf(" (%d of %d)", shown, n) : "")
left(c) = c < 2 ? 0 : sum [k = 2:c] column(k)
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns \
        title report_title.(count < results ? sprintf(" (%d of %d traces)", count, results) : ""); \
}
if (panels && columns > 1) { \
    set tics font ",9"; \
    set title font ",9"; \
    set xlabel font ",9"; \
    set ylabel font ",9"; \
    set key font ",9" spacing 0.8 samplen 1; \
}
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
            linecolor rgb tint(c) fillstyle solid 1 notitle, \
        for [c = 1:5] $data index i - 1 every ::0::shown - 1 \
            using 7:0:(left(c)):(left(c + 1)):($0 - half):($0 + half): \
            ytic(cut(strcol(1), label_width)) with boxxyerror \
            linecolor rgb colour(c) fillstyle transparent pattern pattern(c) \
            border linecolor rgb "black" title class(c); \
}
if (panels) { \
    unset multiplot; \
}
