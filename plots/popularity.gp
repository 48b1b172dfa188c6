# Cumulative distribution of operations in order of popularity (thesis, figure 4.1a): how few of
# them make up most of the calls. One curve a result, told apart by colour, dashes and marks.
# Columns: 1 rank, 5 cumulative (fraction).
small = GPVAL_TERM eq "dumb"
cut(text, n) = strlen(text) > n ? text[1:n - 1]."…" : text
colour(i) = word("#0072B2 #E69F00 #009E73 #CC79A7 #000000 #56B4E9 #D55E00", (i - 1) % 7 + 1)
mark(i) = int(word("7 4 9 6 5 8 13", (i - 1) % 7 + 1))
dashes(i) = (i - 1) % 5 + 1

set title cut(results > 1 ? report_title : report_title.": ".trace_names, small ? 60 : 80)
set xlabel "rank, the most popular first"
set ylabel "cumulative share (%)"
set border 3
set tics nomirror
set key bottom right samplen 4
if (!small) { \
    set tics out; \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 4; \
}

stats $data using 1 nooutput
set xrange [0:STATS_max > 1 ? STATS_max : 2]
set yrange [0:100]
set ytics 20
plot for [i = 1:results] $data index i - 1 using 1:(100 * $5) with linespoints \
    linecolor rgb colour(i) linewidth 2 dashtype dashes(i) \
    pointtype mark(i) pointsize 1 pointnumber (small ? 8 : 20) \
    title results > 1 ? cut(result_name[i], small ? 24 : 40) : ""
