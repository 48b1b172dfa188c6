# One line per result over doubling sizes, on a logarithmic axis; all overlaid, or in a panel each.
# The plot has a line `# layouts:` and defines: width(x), of the axis; height(x); and low, the start
# of the vertical axis. With `of_bytes`, tics are at powers of 2.
if (!exists("of_bytes")) { of_bytes = 0 }
size_list(k, stride, to, list) = 2.0**k > to ? list : size_list(k + 1, stride, to, \
    add_mark(list, k % stride == 0 ? sprintf("%.0f %s", 2.0**(k % 10), word("B KiB MiB GiB TiB PiB", 1 + k / 10)) : "", \
    2.0**k, k % stride == 0 ? 0 : 1))
size_tics(from, to) = (own_x = 1, log_from = from, log_to = to, k_of = larger(0, int(ceil(log(from) / log(2) - 1e-9))), \
    stride_of = smaller(10, larger(1, int(ceil((1.0 + log(to) / log(2) - k_of) / log_most("x"))))), \
    sprintf("set xtics (%s)", size_list(k_of, stride_of > 4 ? (stride_of > 5 ? 10 : 5) : stride_of, to, "")))
# include: overlay
set logscale x
log_x = 1
set key @key_place Left reverse samplen key_sample
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
note(x) = (n = n + 1, least = smaller(least, width(0)), most = larger(most, width(0)), \
    high = larger(high, height(0)))
n = 0; least = 1e300; most = 0.0; high = 0.0
stats $data using (absent(1) ? 1 : (note(0), 1)) nooutput
if (n == 0 || most <= 0) { exit status nothing }
begin = least / 1.2
end = most * 1.2
set xrange [begin:end]
set yrange [low:1.05 * (high > low ? high : low + 1)]
line_title(i) = over ? \
    key_title(i, results, short_name(i, key_room(results, small ? 20 : 30))) : ""
if (measured && over) { set key maxcols key_columns(results, 8) }
# include: panels
do for [i = 1:count] { \
    # include: panel
    set title title_of_part(i, small ? 50 : 80); \
    eval of_bytes ? size_tics(begin, end) : log_tics("x", begin, end, 0); \
    eval before_plot; \
    plot for [r = first_of(i):last_of(i)] $data index r - 1 using (absent(1) ? NaN : width(0)):(height(r)) with linespoints \
        linecolor rgb palette_colour(r) linewidth 2 dashtype palette_dashes(r) pointtype palette_mark(r) \
        pointsize 0.6 title line_title(r); \
}
# include: end
