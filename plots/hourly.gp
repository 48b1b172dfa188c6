# Calls hour by hour. Several results stand side by side in each hour.
# Columns: 1 hour, 2 count.
# include: common
# include: axes
pattern(i) = int(word("3 4 3 5 0 7 6", (i - 1) % 7 + 1))

set title title_of_all(small ? 60 : 80)
set ylabel "calls"
set key outside right top samplen 2
if (!small) { \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# 24 rows are hours of the day, unless a trace without wall clock happens to be as long.
last = 0; high = 0.0
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
    linecolor rgb palette_colour(i) fillstyle pattern pattern(i) border linecolor rgb "black" \
    title results > 1 ? cut(result_name[i], small ? 24 : 30) : ""
