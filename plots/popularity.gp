# Cumulative distribution of operations in order of popularity (thesis, figure 4.1a): how few of
# them make up most of the calls. One curve a result, told apart by colour, dashes and marks.
# Columns: 1 rank, 5 cumulative (fraction).
# include: common
# include: axes

set title title_of_all(small ? 60 : 80)
set xlabel "rank, the most popular first"
set ylabel "cumulative share (%)"
set key bottom right samplen 4
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 4; \
}

stats $data using 1 nooutput
set xrange [0:STATS_max > 1 ? STATS_max : 2]
set yrange [0:100]
set ytics 20
plot for [i = 1:results] $data index i - 1 using 1:(100 * $5) with linespoints \
    linecolor rgb palette_colour(i) linewidth 2 dashtype palette_dashes(i) \
    pointtype palette_mark(i) pointsize 1 pointnumber (small ? 8 : 20) \
    title results > 1 ? cut(result_name[i], small ? 24 : 40) : ""
