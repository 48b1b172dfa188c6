# Cost of tracing, by trace. Three panels with one bar per trace: size of the log, bytes per event,
# and time added by tracing, with its share. With --against, two panels precede them: run time, with
# a line at the reference's run time, and the excess over it in per cent. Results follow one
# another.
# Columns: 1 trace, 2 bytes, 4 bytes_per_event, 6 time_added (nanoseconds or counter units),
# 7 time_share (fraction), run_time and extra_time (as time_added), extra_share (fraction, below 0
# where it was faster).
# include: common
# include: axes
alone = 0
label_width = letters_in(0.25, small ? 1 : 0.72)

set ytics scale 0
own_y = 1
set key off noautotitle
if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

# Numbers have a suitable unit. A clock without real time uses its own units.
size_scale(size) = size >= 2e9 ? 1e9 : size >= 2e6 ? 1e6 : size >= 2e3 ? 1e3 : 1
size_unit(scale) = scale == 1e9 ? "GB" : scale == 1e6 ? "MB" : scale == 1e3 ? "kB" : "bytes"

# Traces of all results. A result without rows has one row of NaN; a number may be missing.
run_time = field("run_time")
extra_time = field("extra_time")
extra_share = field("extra_share")
against = run_time > 0
most_bars = against && !small ? larger(3, shown / 2 - 2) : shown
array name[most_bars]
array amount[5 * most_bars]
array share[most_bars]
array is_known[most_bars]
has_number(c) = c > 0 && valid(c) && strcol(c) ne "NaN" && strcol(c) ne ""
quantity(c) = has_number(c) ? column(c) : -1
note_other(x) = other = quantity(run_time) - column(extra_time)
keep(r) = ((name[r] = shorten(strcol(1), label_width)), \
    unused = note_name(name[r]), (amount[r] = quantity(2)), \
    (amount[most_bars + r] = quantity(4)), \
    (amount[2 * most_bars + r] = quantity(6)), (share[r] = quantity(7)), \
    (amount[3 * most_bars + r] = quantity(run_time)), \
    (is_known[r] = has_number(extra_share)), \
    (amount[4 * most_bars + r] = is_known[r] ? 100 * column(extra_share) : 0), \
    has_number(extra_time) ? note_other(0) : 0)
is_row(x) = strcol(2) ne "NaN" || strcol(4) ne "NaN"
n = 0
other = -1
stats $data using (is_row(0) ? (n = n + 1, n <= most_bars ? (keep(n), 1) : 1) : 1) nooutput
bars = n < most_bars ? n : most_bars
if (bars < 1) { exit status nothing }

words_of(p) = p == 1 ? "size of the log" : p == 2 ? "bytes per event" : p == 3 ? "time added" : \
    p == 4 ? "run time" : "extra run time"
scale_for(p, high) = p == 1 ? size_scale(high) : p == 2 || p == 5 ? 1 : scale_of(high)
axis(p) = p == 1 ? "size (".size_unit(scale).")" : p == 2 ? "bytes per event" : \
    p == 5 ? "extra run time (%)" : words_of(p)." (".unit_of(scale).")"
value_of(p, r) = amount[(p - 1) * most_bars + r]
bar(p, r) = (p == 5 ? value_of(p, r) : larger(0, value_of(p, r))) / scale
in_words(p, amount) = p == 2 ? sprintf("%.4g", amount) : p == 5 ? sprintf("%+.2f %%", amount) : \
    p > 2 && !has_clock ? sprintf("%.0f", amount) : \
    sprintf("%.4g ", amount / scale_for(p, amount)).(p == 1 ? size_unit(size_scale(amount)) : \
    unit_of(scale_of(amount)))
is_missing(p, r) = p == 5 ? !is_known[r] : value_of(p, r) < 0
comment(p, r) = is_missing(p, r) ? "unknown" : in_words(p, value_of(p, r)) \
    .(p == 3 && share[r] >= 0 && (!measured || part(p) * term_width > 24 * 0.56 * names_font * letter) ? sprintf(", %.2f %%", 100 * share[r]) : "")
# Where space is scarce, the end of a panel's axis is chosen so that the comments after the bars
# fit.
comment_wide(p) = (wide = 0.0, unused = sum [r = 1:bars] (wide = larger(wide, text_width(comment(p, r)))), wide)
comment_end(p) = 1.02 / larger(0.2, 1 - (names_font * comment_wide(p) + 1) * letter / (part(p) * term_width))
comment_at(p, r) = larger(0, bar(p, r))

# Positions of the panels: with --against two in the upper row, three in the lower one.
panels_drawn = against ? "4 5 1 2 3" : "1 2 3"
in_line(p) = p > 3 ? 2 : 3
place(p) = p > 3 ? p - 4 : p - 1
name_of(p, r) = small || place(p) == 0 ? name[r] : ""
heading_text = title_of_all_and(small ? 50 : 70, some_shown(1, shown, n))
names_font = 0.72
begin = small ? 0 : names_part(0)
part(p) = (0.99 - begin) / in_line(p)
text_font = small ? "" : sized(names_font)
row_height = 1.55 * letter / term_height
line_top = 1 - 2.2 * row_height
line_height = (line_top - foot) / (against ? 2 : 1)
bottom(p) = foot + (against && p > 3 ? line_height : 0)
set print $bar
do for [r = 1:bars] { print r }
set print
if (!small) { \
    set multiplot title heading_text; \
    if (foot > 0) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
}
set tics font text_font
set yrange [(bars < (against ? 4 : 6) ? (against ? 4 : 6) : bars) + 0.5:0.5]
do for [panel in panels_drawn] { \
    p = int(panel); \
    high = 0.0; \
    low = 0.0; \
    do for [r = 1:bars] { high = larger(high, value_of(p, r)); low = smaller(low, value_of(p, r)) }; \
    low = p == 5 ? low : 0.0; \
    high = p == 4 ? larger(high, other) : high; \
    scale = scale_for(p, high); \
    range = high > 0 ? (measured ? comment_end(p) : in_line(p) == 2 ? 1.5 : 1.9) * high / scale : p == 5 ? larger(1.0, -0.6 * low) : 1.0; \
    set xrange [1.1 * low:range]; \
    tic_step = step(range - 1.1 * low, small || in_line(p) == 2 ? 6 : 4); \
    set xtics tic_step; \
    set format x (scale == 1 && high >= 1e5 ? "%.0f" : "%g"); \
    set xlabel fit_x(axis(p)) font text_font; \
    unset arrow 1; \
    if (p == 4 && other >= 0 && !small) { \
        set arrow 1 from first other / scale, graph 0 to first other / scale, graph 1 nohead front \
            linecolor rgb "#D55E00" linewidth 2 dashtype (6, 3); \
    }; \
    if (small) { \
        set title heading_text.", ".words_of(p); \
    } else { \
        set title words_of(p) font text_font; \
        set tmargin at screen bottom(p) + line_height - 1.6 * row_height; \
        set bmargin at screen bottom(p) + 4.6 * row_height; \
        set lmargin at screen begin + place(p) * part(p); \
        set rmargin at screen begin + (place(p) + 1) * part(p) - 0.02; \
    }; \
    eval before_plot; \
    plot $bar using (0):1:(0):(bar(p, int($1))):($1 - half):($1 + half): \
            ytic(name_of(p, int($1))) with boxxyerror linecolor rgb "#0072B2" \
            fillstyle solid 1 border linecolor rgb "black" title words_of(p), \
        $bar using (comment_at(p, int($1))):1:(comment(p, int($1))) with labels left offset 1, 0 \
            font text_font title words_of(p); \
    unset label 99; \
}
if (!small) { unset multiplot }
# include: remarks
