# Two cumulative distributions, a solid and b dashed, with a thin line at their largest distance:
# Kolmogorov and Smirnov's D. One panel per result, on a common axis. The plot sets this axis, of
# column 1, and defines: place(x), the position of a value; in_words(x), its text; curve(k), the
# column of side k; axis, the label.
set yrange [0:100]
set ytics 20
if (!panels && !narrow) { set key @key_below Left reverse samplen 3 maxrows 1 }
if (!panels && narrow) { set key inside bottom right Left reverse samplen 2 spacing 0.7 }
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

# A share holds up to the next value. The steps are one line, so that dashes continue.
array corner[2 * rows]
array height_a[2 * rows]
array height_b[2 * rows]
has(k) = valid(curve(k))
height(k) = has(k) ? 100 * column(curve(k)) : NaN
put(at, a, b) = (n = n + 1, corner[n] = at, height_a[n] = a, height_b[n] = b)
note_distance(x) = !(has(1) && has(2)) || abs(height(1) - height(2)) <= far ? 0 : \
    (far = abs(height(1) - height(2)), far_at = $1, far_from = height(1), far_to = height(2))
note_step(x) = (seen = (has(1) ? 1 : 0) + (has(2) ? 2 : 0), put(place($1), n > 0 ? height_a[n] : has(1) ? 0.0 : NaN, \
    n > 0 ? height_b[n] : has(2) ? 0.0 : NaN), put(place($1), height(1), height(2)), note_distance(0))
seen = 0
distance(x) = seen < 3 ? "only in ".side_letter(seen) : far > 0 ? sprintf("D = %.3g at %s", far / 100, in_words(far_at)) : "D = 0"
# include: panels
do for [i = 1:count] { \
    n = 0; far = 0.0; far_at = 0.0; far_from = 0.0; far_to = 0.0; \
    # include: panel
    stats $data index i - 1 using (absent(1) ? 1 : (note_step(0), 1)) nooutput; \
    if (i == 2) { unset label 91; unset label 92 }; \
    set title title_of_result(i, small ? 60 : 80).(panels ? ": ".distance(0) : ""); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xlabel fit_x(axis_name(i, axis)); \
    unset arrow 1; \
    if (far > 0) { \
        set arrow 1 from place(far_at), far_from to place(far_at), far_to nohead front \
            linecolor rgb "black" linewidth 1; \
    }; \
    eval before_plot; \
    plot corner every ::0::larger(n, 1) - 1 using (corner[int($0) + 1]):(height_a[int($0) + 1]) \
            with lines linecolor rgb side_colour(1) linewidth 2 title side_title(1), \
        corner every ::0::larger(n, 1) - 1 using (corner[int($0) + 1]):(height_b[int($0) + 1]) \
            with lines linecolor rgb side_colour(2) linewidth 2 dashtype (6, 3) title side_title(2), \
        keyentry with lines linecolor rgb "black" linewidth 1 title distance(0); \
}
# include: end
