# Cumulative sizes of I/Os: share of the I/Os that are no larger, and of their bytes. The distance
# between the curves shows how many small I/Os carry few bytes. With --ccdf, share of larger I/Os,
# on logarithmic axes. Several results are overlaid with a colour and mark each, solid for I/Os,
# dashed for bytes; or in a panel each.
# layouts: overlay panels
# Columns: 1 size (bytes), count, cumulative, bytes_cumulative (fractions), beyond (how many are larger).
# include: common
# include: overlay
# include: axes
cumulative = field("cumulative")
bytes_cumulative = field("bytes_cumulative")
beyond = field("beyond")
mark(i) = int(word("7 9 5 13 11 15 2", (i - 1) % 7 + 1))
hollow(i) = int(word("6 8 4 12 10 14 1", (i - 1) % 7 + 1))

set xlabel fit_x("size of the I/O, log scale")
set ylabel fit_y(beyond > 0 ? (small || count > 1 ? "larger (%)" : "share of those larger (%), log scale") : count > 2 || (measured && panels) ? "share (%)" : "cumulative share (%)")
set key @key_place samplen key_sample
if (small) { \
    set key inside bottom right; \
}
if (!small) { \
    set key reverse Left; \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# include: sizes
# Number of I/Os of each result.
array all[results]
rarest = 100.0
share_beyond(i) = 100.0 * column(beyond) / all[i]
do for [i = 1:results] { \
    all[i] = 0.0; \
    stats $data index i - 1 using (missing(cumulative) ? 1 : (all[i] = all[i] + column(field("count")), 1)) nooutput; \
    if (beyond > 0) { \
        stats $data index i - 1 using (missing(beyond) || column(beyond) == 0 ? 1 : \
            (rarest = smaller(rarest, share_beyond(i)), 1)) nooutput; \
    }; \
}
bottom = 10**floor(log10(rarest) - 1e-9)
height(i) = beyond == 0 ? 100 * column(cumulative) : column(beyond) > 0 ? share_beyond(i) : bottom
mark_height(i) = beyond == 0 || column(beyond) > 0 ? height(i) : NaN
if (beyond > 0) { set logscale y; log_y = 1; set yrange [bottom:100] } else { set yrange [0:100]; set ytics 20 }
curves = beyond > 0 ? 1 : 2
# A key with many names lists the traces, and explains dashes once.
brief = over && curves > 1 && (measured || results > 4)
entries = over ? (brief ? results + 2 : curves * results) : curves
name(i, what) = !over ? what : short_name(i, key_room(entries, small ? 24 : 30) - (curves > 1 && !brief ? \
    strlen(what) + 2 : 0)).(curves > 1 && !brief ? ": ".what : "")
entry(i, k) = over ? (k - 1) * results + i : k
if (measured && over) { set key maxcols key_columns(entries, 8) }
# A share holds up to the next size: steps. Marks are at existing sizes.
# include: panels
if (crowded) { set key font little_font spacing 0.95 }
do for [i = 1:count] { \
    # include: panel
    set title title_of_part(i, small ? 60 : 80); \
    if (beyond > 0) { eval log_tics("y", bottom, 100, 0) }; \
    eval before_plot; \
    plot for [r = first_of(i):last_of(i)] $data index r - 1 using (place($1)):(height(r)) \
            with steps linecolor rgb palette_colour(r) linewidth 2 dashtype 1 notitle, \
        for [r = first_of(i):curves > 1 ? last_of(i) : 0] $data index r - 1 using (place($1)):(100 * column(bytes_cumulative)) \
            with steps linecolor rgb palette_colour(r) linewidth 2 dashtype 2 notitle, \
        for [r = first_of(i):last_of(i)] $data index r - 1 using (place($1)):(mark_height(r)) \
            with points linecolor rgb palette_colour(r) pointtype mark(r) \
            pointsize (small ? 1 : 0.7) notitle, \
        for [r = first_of(i):curves > 1 ? last_of(i) : 0] $data index r - 1 using (place($1)):(100 * column(bytes_cumulative)) \
            with points linecolor rgb palette_colour(r) pointtype hollow(r) \
            pointsize (small ? 1 : 0.7) notitle, \
        for [r = first_of(i):last_of(i)] keyentry with linespoints linecolor rgb palette_colour(r) linewidth 2 \
            dashtype 1 pointtype mark(r) title key_title(entry(r, 1), entries, name(r, "I/Os")), \
        for [r = first_of(i):curves > 1 && !brief ? last_of(i) : 0] keyentry with linespoints linecolor rgb palette_colour(r) \
            linewidth 2 dashtype 2 pointtype hollow(r) title key_title(entry(r, 2), entries, name(r, "bytes")), \
        for [k = 1:brief ? 2 : 0] keyentry with lines linecolor rgb "black" linewidth 2 dashtype k title word("I/Os bytes", k); \
}
# include: end
