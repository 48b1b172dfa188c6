# Lines from the shortest to the longest time, with marks at percentiles. The plot includes
# time-groups; it can define time_label for other times.
colour(p) = word("#0072B2 #E69F00 #009E73 #CC79A7 #000000", p)
mark(p) = int(word("7 5 9 13 2", p))
percentile(p) = field(name(p))
name(p) = word("p50 p90 p99 p99.9 max", p)
least_time = field("min")
most_time = field("max")
stage = field("stage")
total_share = field("share")

names_font = crowded ? little : 1
label_width = name_room(names_font)
is_row(x) = strcol(1) ne "NaN" || !missing(most_time)
kind_of(x) = !is_row(0) ? "" : group_of(0) \
    .(stage > 1 ? " ".strcol(stage) : "")
amount(x) = sprintf(", n = %.0f", column(field("count"))) \
    .(total_share > 0 && valid(total_share) ? sprintf(", %.1f %%", 100 * column(total_share)) : "")
name_of(x) = shorten(kind_of(0), larger(10, label_width - 4 - strlen(amount(0)))).amount(0)

set xlabel fit_x(log_label(time_label))
set logscale x
log_x = 1
set ytics scale 0
own_y = 1
set key @key_place samplen 2
if (in_page) { set key maxrows 2 }
if (measured) { set key font little_font width key_slack(6) samplen 1 }
shown = rows_that_fit(0)
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# Common axis of all panels. Durations of 0 are drawn at its start, because it is logarithmic.
note(least, most) = (n = n + 1, note_name(name_of(0)."  "), low = least > 0 && least < low ? least : low, \
    unused = sum [p = 1:5] (percentile(p) > 0 && (time = column(percentile(p))) > 0 && time < low ? (low = time) : 0), \
    high = most > high ? most : high)
panel_title(i) = title_of_rows(i, small ? 50 : 70, n)
n = 0
low = 1e300
high = 0.0
stats $data using (missing(most_time) ? 1 : (note(column(least_time), column(most_time)), 1)) nooutput
if (high <= 0) { exit status nothing }
begin = 10**floor(log10(low))
end = 10**ceil(log10(high) + 0.001)
place(column_number) = missing(most_time) ? NaN : \
    larger(column(column_number), begin)
set xrange [begin:end]
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    n = 0; \
    set autoscale y; \
    # include: panel
    stats $data index i - 1 using (!is_row(0) ? 1 : (n = n + 1, 1)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set yrange [(n < shown ? (n > 0 ? n : 1) : shown) - 0.5:-0.5]; \
    beside_letters = in_page || small ? 0 : names_length + 16; \
    eval log_tics("x", begin, end, 1); \
    eval before_plot; \
    plot $data index i - 1 every ::0::shown - 1 \
            using (place(least_time)):0:(place(most_time) - place(least_time)):(0): \
            ytic(is_row(0) ? name_of(0) : "") \
            with vectors nohead linecolor rgb "#606060" linewidth 2 title is_tex ? "range" : "min to max", \
        for [p = 1:5] $data index i - 1 every ::0::shown - 1 using (percentile(p) > 0 ? place(percentile(p)) : NaN):0 \
            with points linecolor rgb colour(p) pointtype mark(p) pointsize mark_size title percentile(p) > 0 ? name(p) : ""; \
}
# include: end
