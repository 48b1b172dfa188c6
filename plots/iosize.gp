# Sizes of I/Os, cumulative: the share of the I/Os that are no larger, and of the bytes in them. The
# distance of the two curves tells how many small I/Os there are for few bytes. Several results
# stand in one picture: a colour and a mark each, solid for the I/Os, dashed for the bytes.
# Columns: 1 size (bytes), cumulative, bytes_cumulative (fractions).
# include: common
# include: axes
# include: foot
cumulative = field("cumulative")
bytes_cumulative = field("bytes_cumulative")
mark(i) = int(word("7 9 5 13 11 15 2", (i - 1) % 7 + 1))
hollow(i) = int(word("6 8 4 12 10 14 1", (i - 1) % 7 + 1))

set title title_of_all(small ? 60 : 80)
set xlabel "size of the I/O, log scale"
set ylabel "share of those up to this size (%)"
set key outside right top samplen 4
if (small) { \
    set key inside bottom right; \
}
if (!small) { \
    set key reverse Left; \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# Powers of 2, no more of them than can be read. Those of zero length stand left of all others.
readable(size) = size < 1024 ? sprintf("%.0f B", size) : \
    size < 1048576 ? sprintf("%.0f KiB", size / 1024) : \
    size < 1073741824 ? sprintf("%.0f MiB", size / 1048576) : sprintf("%.0f GiB", size / 1073741824)
note(size) = (low = size > 0 && size < low ? size : low, high = size > high ? size : high, \
    none = size == 0 ? 1 : none)
low = 1e300
high = 0.0
none = 0
stats $data using (valid(1) ? (note($1), 1) : 1) nooutput
first = high > 0 ? floor(log(low) / log(2.0) + 1e-9) : 9
last = high > 0 ? ceil(log(high) / log(2.0) - 1e-9) : 10
step = 1 + (last - first) / (small ? 6 : 9)
place(size) = size > 0 ? log(size) / log(2.0) : first - step
set xrange [(none ? first - step : first) - 0.3 * step:last + 0.3 * step]
set xtics ("0" first - step)
if (!none) { \
    set xtics (readable(2.0**first) first); \
}
do for [i = first:last:step] { set xtics add (readable(2.0**i) i) }
set yrange [0:100]
set ytics 20
name(i, what) = results > 1 ? cut(result_name[i], small ? 24 : 30).": ".what : what
# A share holds from its size to the next one: steps. The marks stand where sizes occur.
plot for [i = 1:results] $data index i - 1 using (place($1)):(100 * column(cumulative)) \
        with steps linecolor rgb palette_colour(i) linewidth 2 dashtype 1 notitle, \
    for [i = 1:results] $data index i - 1 using (place($1)):(100 * column(bytes_cumulative)) \
        with steps linecolor rgb palette_colour(i) linewidth 2 dashtype 2 notitle, \
    for [i = 1:results] $data index i - 1 using (place($1)):(100 * column(cumulative)) \
        with points linecolor rgb palette_colour(i) pointtype mark(i) \
        pointsize (small ? 1 : 0.7) notitle, \
    for [i = 1:results] $data index i - 1 using (place($1)):(100 * column(bytes_cumulative)) \
        with points linecolor rgb palette_colour(i) pointtype hollow(i) \
        pointsize (small ? 1 : 0.7) notitle, \
    for [i = 1:results] keyentry with linespoints linecolor rgb palette_colour(i) linewidth 2 \
        dashtype 1 pointtype mark(i) title name(i, "I/Os"), \
    for [i = 1:results] keyentry with linespoints linecolor rgb palette_colour(i) linewidth 2 \
        dashtype 2 pointtype hollow(i) title name(i, "bytes")
# include: end
