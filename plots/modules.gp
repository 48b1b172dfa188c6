# Time by module: a pie, clockwise from the top in the order of the rows. Bars instead if there are
# more than 8 modules or only one, and on character terminals. One panel per result.
# Columns: 1 module, 2 time (nanoseconds or counter units), 3 share (fraction).
# include: common
shown = results == 2 ? 12 : shown
most_slices = 8

columns = count == 1 ? 1 : 2
label_width = letters_in(0.3 * (count == 1 ? 1 : 0.5), panels ? little : 1)
text_font = sized(panels ? little : 1)

set tics nomirror font text_font
if (!small) { set tics out }
slice_colour(s) = s > n ? "#D8D8D8" : \
    word("#0072B2 #E69F00 #009E73 #CC79A7 #56B4E9 #D55E00 #F0E442 #606060", s)

# Numbers have their unit. A clock without real time uses its own units.
scale_of(time) = !has_clock ? 1 : time >= 1e9 ? 1e9 : time >= 1e6 ? 1e6 : time >= 1e3 ? 1e3 : 1
unit_of(scale) = !has_clock ? "" : \
    scale == 1e9 ? " s" : scale == 1e6 ? " ms" : scale == 1e3 ? " µs" : " ns"
in_words(time) = has_clock ? sprintf("%.4g", time / scale_of(time)).unit_of(scale_of(time)) : \
    sprintf("%.0f", time)

# A result without rows has one row of NaN. If the slices do not add up to the whole (--top), the
# rest is another slice.
array name[most_slices + 1]
array share[most_slices + 1]
part(x) = valid(3) ? column(3) : 0
names_font = panels ? little : 1
keep(s, what, amount) = s > most_slices ? 0 : ((name[s] = what), (share[s] = amount), 0)
note(what, amount) = (n = n + 1, n <= shown ? note_name(shorten(what, label_width)) : 0, keep(n, what, amount), whole = whole + amount, \
    high = amount > high ? amount : high)
begin_of(s) = s < 2 ? 0.0 : sum [k = 1:s - 1] share[k]
angle(s) = 90 - 360.0 * begin_of(s)
is_all(s) = share[s] > 0.99999
middle(s) = (angle(s) - 180.0 * share[s]) * pi / 180
least = count == 1 ? 0.03 : count == 2 ? 0.05 : 0.07
is_labelled(s, side) = !is_all(s) && share[s] >= least && (cos(middle(s)) < 0) == side
percent(amount) = sprintf("%.2f %%", 100 * amount)
legend(s) = shorten(name[s], label_width).", ".percent(share[s])
comment(x) = missing(3) ? "" : percent(part(0)).(valid(2) ? ", ".in_words(column(2)) : "")

panel_title(i) = title_and(i, small ? 50 : 60, n > most_slices ? some_shown(i, shown, n) : "")
# include: multiplot
do for [i = 1:count] { \
    n = 0; whole = 0.0; high = 0.0; \
    set autoscale; \
    # include: panel
    stats $data index i - 1 using (missing(3) ? 1 : (note(strcol(1), part(0)), 1)) nooutput; \
    slices = small || n > most_slices || n < 2 || whole <= 0 ? 0 : n; \
    do for [s = 1:slices] { share[s] = share[s] / (whole > 1 ? whole : 1) }; \
    if (slices > 0 && whole < 0.9999) { \
        slices = slices + 1; share[slices] = 1 - whole; name[slices] = "the rest"; \
    }; \
    set title panel_title(i) font text_font; \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (slices > 0) { \
        set print $slice; \
        do for [s = 1:slices] { \
            print sprintf("%.6f\t%.6f\t%.6f\t%.6f", \
                is_all(s) ? 0 : angle(s + 1), is_all(s) ? 360 : angle(s), \
                cos(middle(s)), sin(middle(s))); \
        }; \
        set print; \
        unset border; \
        unset tics; \
        unset xlabel; \
        unset grid; \
        set size ratio -1; \
        set key outside right center vertical reverse Left samplen 1 font text_font \
            spacing panels ? 1 : 1.3; \
        set xrange [-1.35:1.35]; \
        set yrange [-1.2:1.2]; \
        own_x = 1; own_y = 1; \
        eval before_plot; \
        plot for [s = 1:slices] $slice every ::s - 1::s - 1 using (0):(0):(1):1:2 with circles \
                linewidth 1.5 linecolor rgb slice_colour(s) fillstyle solid 1 \
                border linecolor rgb is_all(s) ? slice_colour(s) : "white" notitle, \
            for [s = 1:slices] $slice every ::s - 1::s - 1 \
                using (is_labelled(s, 0) ? 1.06 * $3 : nowhere):(1.06 * $4):(percent(share[s])) \
                with labels left font text_font notitle, \
            for [s = 1:slices] $slice every ::s - 1::s - 1 \
                using (is_labelled(s, 1) ? 1.06 * $3 : nowhere):(1.06 * $4):(percent(share[s])) \
                with labels right font text_font notitle, \
            for [s = 1:slices] keyentry with points pointtype 5 pointsize 1.5 \
                linecolor rgb slice_colour(s) title legend(s); \
    } else { \
        set border 3; \
        set size noratio; \
        unset key; \
        own_x = 0; own_y = 1; set ytics scale 0 font text_font; \
        set xtics nomirror autofreq font text_font; \
        set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
        if (small) { unset grid; }; \
        set format x "%g"; \
        set xlabel "share of the time (%)" font text_font; \
        set xrange [0:measured ? 220 : columns > 1 || small ? 180 : 145]; \
        set xtics 0, 20, 100; \
        set yrange [(n < 6 ? 6 : n < shown ? n : shown) - 0.5:-0.5]; \
        eval before_plot; \
        plot $data index i - 1 every ::0::shown - 1 \
                using (0):0:(0):(100 * part(0)):($0 - half):($0 + half): \
                ytic(missing(3) ? "" : shorten(strcol(1), label_width)) with boxxyerror \
                linecolor rgb "#0072B2" fillstyle solid 1 border linecolor rgb "black" notitle, \
            $data index i - 1 every ::0::shown - 1 using (100 * part(0)):0:(comment(0)) \
                with labels left offset 1, 0 font text_font notitle; \
    }; \
}
# include: end
