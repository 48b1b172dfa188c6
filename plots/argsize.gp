# Distribution of argument sizes (thesis, figures 4.1c and 4.2c). Bars: share of calls with exactly
# this size; steps: share of calls up to this size. Most calls have size 0 and the tail is long, so
# the axis is logarithmic in size + 1. Several results are drawn side by side, or in a panel each.
# layouts: overlay panels
# Columns: 1 size (bytes), share, cumulative (fractions).
# include: common
# include: overlay
# include: axes
share = field("share")
cumulative = field("cumulative")

set xlabel fit_x("argument size (bytes), log scale from 1 on")
set ylabel fit_y("share of the calls (%)")
set key center right samplen key_sample
if (!small) { \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 4; \
}

# Tics at 0 and powers of 2, as many as are readable.
place(size) = log(1.0 + size) / log(2.0)
stats $data using 1 nooutput
last = ceil(place(STATS_max))
step = 1 + last / (small || compact ? 6 : 12)
set xrange [-0.5:last > 0 ? last + 0.2 : 1]
own_x = 1
set xtics ("0" 0)
do for [i = 0:last:step] { set xtics add (sprintf("%.0f", 2.0**i) place(2.0**i)) }
set yrange [0:100]
set ytics 20
beside(i) = (i - (results + 1) / 2.0) * (small ? 0.3 : 0.05)
exactly = measured ? ", exactly" : ", exactly this size"
entries = over ? (results > 4 ? 1 : 2) * results : 2
name(i, what) = over ? short_name(i, larger(5, key_room(entries, small ? 24 : 40) - (measured ? strlen(what) : 0))).what : what[3:*]
if ((over && results > 3) || measured) { set key @key_place Left reverse samplen key_sample }
# include: panels
do for [i = 1:count] { \
    # include: panel
    set title title_of_part(i, small ? 60 : 80); \
    eval before_plot; \
    plot for [r = first_of(i):last_of(i)] $data index r - 1 \
            using (place($1) + (over ? beside(r) : 0)):(100 * column(share)) with impulses \
            linecolor rgb palette_colour(r) linewidth (small ? 1 : 4) dashtype 1 \
            title results > 4 && over ? "" : name(r, exactly), \
        for [r = first_of(i):last_of(i)] $data index r - 1 using (place($1)):(100 * column(cumulative)) with steps \
            linecolor rgb palette_colour(r) linewidth 2 dashtype palette_dashes(r) notitle, \
        for [r = first_of(i):last_of(i)] $data index r - 1 using (place($1)):(100 * column(cumulative)) \
            with points pointtype palette_mark(r) pointsize (small ? 1 : 0.6) \
            linecolor rgb palette_colour(r) notitle, \
        for [r = first_of(i):last_of(i)] keyentry with linespoints linecolor rgb palette_colour(r) linewidth 2 \
            dashtype palette_dashes(r) pointtype palette_mark(r) \
            title !over || results <= 4 ? name(r, ", up to it") : key_title(r, entries, name(r, ", up to it")); \
}
# include: end
