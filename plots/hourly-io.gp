# I/Os hour by hour: bars stacked of the classes. One panel a result, all with the same scale, as
# the papers set users side by side. Colour tells reads from writes; synchronous ones are striped.
# Columns: 1 hour, 2-6 read, readsync, write, writesync, other, 7 total.
small = GPVAL_TERM eq "dumb"
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
class(c) = word("read readsync write writesync other", c)
colour(c) = word("#0072B2 #0072B2 #E69F00 #E69F00 #606060", c)
tint(c) = c == 2 ? "#D4E8F5" : "#FBEBC8"
pattern(c) = int(word("3 4 3 5 0", c))

# The terminal's characters are too few for panels: there one picture follows the other. Elsewhere
# more than 6 would be too small to read.
panels = results > 1 && !small
count = panels && results > 6 ? 6 : results
columns = count <= 3 ? 1 : 2

set ylabel "I/Os"
set border 3
set tics nomirror
set key outside right top invert samplen 2
if (!small) { \
    set tics out; \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# 24 rows are hours of the day, unless a trace without wall clock happens to be as long.
last = 0; high = 0.0
# A result without rows has one of NaN.
absent(column) = strcol(1) eq "NaN" || !valid(column)
note(hour, total) = (last = hour > last ? hour : last, high = total > high ? total : high)
stats $data using (absent(7) ? 1 : (note($1, $7), 1)) nooutput
set xlabel last == 23 ? "hour" : "hour since the start"
set xrange [-0.6:last + 0.6]
set yrange [0:high > 0 ? 1.05 * high : 1]
panel_title(i) = cut(panels ? result_name[i] : \
    report_title.": ".(results > 1 ? result_name[i] : trace_names), small ? 60 : 80)
below(c) = c < 2 ? 0 : sum [k = 2:c] column(k)
set xtics last <= 25 && !small && columns == 1 ? 1 : last <= 50 ? 3 : ceil(last / 120.0) * 12
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
    set title panel_title(i); \
    plot for [c = 2:4:2] $data index i - 1 \
            using 1:7:($1 - 0.4):($1 + 0.4):(below(c)):(below(c + 1)) with boxxyerror \
            linecolor rgb tint(c) fillstyle solid 1 notitle, \
        for [c = 1:5] $data index i - 1 \
            using 1:7:($1 - 0.4):($1 + 0.4):(below(c)):(below(c + 1)) with boxxyerror \
            linecolor rgb colour(c) fillstyle transparent pattern pattern(c) \
            border linecolor rgb "black" title class(c); \
}
if (panels) { \
    unset multiplot; \
}
