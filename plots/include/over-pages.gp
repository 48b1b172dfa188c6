# A line a result over sizes that double, on a logarithmic axis. The plot has defined: width(x), of the
# axis; height(x); and low, where the vertical axis begins.
set logscale x
log_x = 1
set key @key_place Left reverse samplen 2
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
note(x) = (n = n + 1, least = smaller(least, width(0)), most = larger(most, width(0)), \
    high = larger(high, height(0)))
n = 0; least = 1e300; most = 0.0; high = 0.0
stats $data using (absent(1) ? 1 : (note(0), 1)) nooutput
if (n == 0 || most <= 0) { exit status nothing }
set xrange [least / 1.2:most * 1.2]
set yrange [low:1.05 * (high > low ? high : low + 1)]
set title title_of_all(small ? 50 : 80)
# include: foot
eval before_plot
plot for [i = 1:results] $data index i - 1 using (absent(1) ? NaN : width(0)):(height(0)) with linespoints \
    linecolor rgb palette_colour(i) linewidth 2 dashtype palette_dashes(i) pointtype palette_mark(i) \
    pointsize 0.6 title results > 1 ? shorten(result_name[i], small ? 20 : 30) : ""
# include: remarks
