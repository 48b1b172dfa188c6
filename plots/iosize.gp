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
set xlabel fit_x("size of the I/O, log scale")
set ylabel fit_y("share of those up to this size (%)")
set key @key_place samplen 4
if (small) { \
    set key inside bottom right; \
}
if (!small) { \
    set key reverse Left; \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# include: sizes
set yrange [0:100]
set ytics 20
name(i, what) = results > 1 ? cut(result_name[i], small ? 24 : 30).": ".what : what
# A share holds from its size to the next one: steps. The marks stand where sizes occur.
eval before_plot
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
