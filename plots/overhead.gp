# What tracing costs, trace beside trace: three panels with a bar for each trace, for the size of
# the log, the bytes of an event, and the time that tracing added, with its share; with --against a
# fourth for the run time, with what it is more than that of the other run. Results follow one another.
# Columns: 1 trace, 2 bytes, 4 bytes_per_event, 6 time_added (nanoseconds or counter units),
# 7 time_share (fraction), run_time (as time_added), extra_share (fraction, below 0 where it was faster).
# include: common
# include: axes
label_width = letters_in(0.25, small ? 1 : 0.72)

set ytics scale 0
unset key
if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

# Numbers have the unit that fits. A clock that is not real counts in units of its own.
size_scale(size) = size >= 2e9 ? 1e9 : size >= 2e6 ? 1e6 : size >= 2e3 ? 1e3 : 1
size_unit(scale) = scale == 1e9 ? "GB" : scale == 1e6 ? "MB" : scale == 1e3 ? "kB" : "bytes"

# The traces of all results. A result without rows has one of NaN; a number may be missing.
array name[shown]
run_time = field("run_time")
extra_share = field("extra_share")
kinds = run_time > 0 ? 4 : 3
array amount[4 * shown]
array share[shown]
array extra[shown]
quantity(c) = valid(c) && strcol(c) ne "NaN" ? column(c) : -1
keep(r) = ((name[r] = shorten(strcol(1), label_width)), \
    longest = larger(longest, strlen(name[r])), (amount[r] = quantity(2)), \
    (amount[shown + r] = quantity(4)), \
    (amount[2 * shown + r] = quantity(6)), (share[r] = quantity(7)), \
    (amount[3 * shown + r] = run_time > 0 ? quantity(run_time) : -1), \
    (extra[r] = run_time > 0 && valid(extra_share) ? sprintf(", %+.2f %%", 100 * column(extra_share)) : ""))
is_row(x) = strcol(2) ne "NaN" || strcol(4) ne "NaN"
n = 0
longest = 1
stats $data using (is_row(0) ? (n = n + 1, n <= shown ? (keep(n), 1) : 1) : 1) nooutput
bars = n < shown ? n : shown
if (bars < 1) { exit status nothing }

what(p) = p == 1 ? "size of the log" : p == 2 ? "bytes per event" : \
    p == 3 ? "time added" : "run time"
scale_for(p, high) = p == 1 ? size_scale(high) : p == 2 ? 1 : scale_of(high)
axis(p) = p == 1 ? "size (".size_unit(scale).")" : p == 2 ? "bytes per event" : \
    what(p)." (".unit_of(scale).")"
value_of(p, r) = amount[(p - 1) * shown + r]
bar(p, r) = larger(0, value_of(p, r)) / scale
in_words(p, amount) = p == 2 ? sprintf("%.4g", amount) : \
    p > 2 && !has_clock ? sprintf("%.0f", amount) : \
    sprintf("%.4g ", amount / scale_for(p, amount)).(p == 1 ? size_unit(size_scale(amount)) : \
    unit_of(scale_of(amount)))
comment(p, r) = value_of(p, r) < 0 ? "unknown" : in_words(p, value_of(p, r)) \
    .(p == 3 && share[r] >= 0 ? sprintf(", %.2f %%", 100 * share[r]) : p == 4 ? extra[r] : "")
name_of(p, r) = small || p == 1 ? name[r] : ""
heading_text = title_of_all(small ? 50 : 70).shown_of(n)
begin = small ? 0 : 0.03 + 0.95 * longest / letters_in(1, 0.72)
part = (0.99 - begin) / kinds
text_font = small ? "" : sized(0.72)
set print $bar
do for [r = 1:bars] { print r }
set print
if (!small) { \
    set multiplot title heading_text; \
    set tmargin at screen 1 - 4.2 * 1.55 * letter / term_height; \
    set bmargin at screen foot + 6.5 * 0.72 * 1.55 * letter / term_height; \
    if (foot > 0) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
}
set tics font text_font
set yrange [(bars < 6 ? 6 : bars) + 0.5:0.5]
do for [p = 1:kinds] { \
    high = 0.0; \
    do for [r = 1:bars] { high = larger(high, value_of(p, r)) }; \
    scale = scale_for(p, high); \
    range = high > 0 ? (kinds > 3 ? 2.5 : 1.9) * high / scale : 1.0; \
    set xrange [0:range]; \
    tic_step = step(range, small ? 6 : 4); \
    set xtics tic_step; \
    set format x (scale == 1 && high >= 1e5 ? "%.0f" : "%g"); \
    set xlabel axis(p) font text_font; \
    if (small) { \
        set title heading_text.", ".what(p); \
    } else { \
        set title what(p) font text_font; \
        set lmargin at screen begin + (p - 1) * part; \
        set rmargin at screen begin + p * part - 0.02; \
    }; \
    if (p == 2) { unset label 99 }; \
    plot $bar using (0):1:(0):(bar(p, int($1))):($1 - half):($1 + half): \
            ytic(name_of(p, int($1))) with boxxyerror linecolor rgb "#0072B2" \
            fillstyle solid 1 border linecolor rgb "black" title what(p), \
        $bar using (bar(p, int($1))):1:(comment(p, int($1))) with labels left offset 1, 0 \
            font text_font title what(p); \
}
if (!small) { unset multiplot }
# include: remarks
