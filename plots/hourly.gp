# Calls hour by hour. Several results stand side by side in each hour.
# Columns: 1 hour, 2 count.
small = GPVAL_TERM eq "dumb"
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
colour(i) = word("#0072B2 #E69F00 #009E73 #CC79A7 #000000 #56B4E9 #D55E00", (i - 1) % 7 + 1)
pattern(i) = int(word("3 4 3 5 0 7 6", (i - 1) % 7 + 1))

set title cut(results > 1 ? report_title : report_title.": ".trace_names, small ? 60 : 80)
set ylabel "calls"
set border 3
set tics nomirror
set key outside right top samplen 2
if (!small) { \
    set tics out; \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# 24 rows are hours of the day, unless a trace without wall clock happens to be as long.
last = 0; high = 0.0
# A result without rows has one of NaN.
absent(column) = strcol(1) eq "NaN" || !valid(column)
note(hour, count) = (last = hour > last ? hour : last, high = count > high ? count : high)
stats $data using (absent(2) ? 1 : (note($1, $2), 1)) nooutput
set xlabel last == 23 ? "hour" : "hour since the start"
set xrange [-0.6:last + 0.6]
set xtics last <= 25 && !small ? 1 : last <= 50 ? 3 : ceil(last / 120.0) * 12
set yrange [0:high > 0 ? 1.05 * high : 1]
width = 0.8 / results
left(i) = (i - 1) * width - 0.4
plot for [i = 1:results] $data index i - 1 \
    using 1:2:($1 + left(i)):($1 + left(i) + width):(0):2 with boxxyerror \
    linecolor rgb colour(i) fillstyle pattern pattern(i) border linecolor rgb "black" \
    title results > 1 ? cut(result_name[i], small ? 24 : 30) : ""
