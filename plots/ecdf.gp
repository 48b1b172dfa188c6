# Times of I/Os or of calls, cumulative: which part of them took no longer, a step curve for each of the
# groups that have most. One panel a result, all with the same axis.
# Columns: 1 what they are by, count, time (nanoseconds or counter units) and cumulative (a fraction) of
# each point of the group's curve; a group without a curve has one row without these.
# include: common
# include: axes
# include: time-groups
count_field = field("count")
time_field = field("time")
share_field = field("cumulative")
drawn = 9
has_point(x) = !missing(time_field)

# An axis of times has no place for 0; those stand at its beginning.
note(time) = (low = time > 0 && time < low ? time : low, high = larger(high, time))
low = 1e300
high = 0.0
stats $data using (has_point(0) ? (note(column(time_field)), 1) : 1) nooutput
if (high <= 0) { exit status nothing }
unit = scale_of(high)
begin = 0.9 * low / unit
end = 1.1 * high / unit
place(time) = larger(time / unit, begin)
set xlabel fit_x(time_label." (".unit_of(unit)."), log scale")
set ylabel fit_y(small || count > 2 ? "share (%)" : "share of those no longer (%)")
set logscale x
log_x = 1
set format x "%g"
set xrange [begin:end]
set yrange [0:100]
set ytics 20
set key @key_place Left reverse samplen 2
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
if (log10(end / begin) > (small ? 5 : columns == 1 ? 7 : 5)) { \
    set xtics 10**floor(log10(begin)), small || columns > 1 ? 1000 : 100; \
    unset mxtics; \
}

# The rows of a group follow one another. Its corners begin at the left of the picture, at 0.
array at[rows + 2 * drawn]
array share[rows + 2 * drawn]
array first[drawn]
array last[drawn]
array name[drawn]
name_width = small ? 24 : panels && columns > 1 ? 22 : 30
amount(x) = sprintf(", n = %.0f", column(count_field))
name_of(x) = shorten(group_of(0), larger(8, name_width - strlen(amount(0)))).amount(0)
put(time, part) = (n = n + 1, at[n] = time, share[n] = part, groups > 0 ? (last[groups] = n) : 0)
begin_group(x) = (groups = groups + 1, name[groups] = name_of(0), put(begin, 0.0), first[groups] = n)
look(x) = (is_new = all == 0 || key ne strcol(1), key = strcol(1), all = all + is_new, \
    !has_point(0) ? 0 : (is_new ? begin_group(0) : 0, put(place(column(time_field)), column(share_field))))
# include: panels
if (crowded) { set key font little_font spacing 0.95 samplen 1 }
do for [i = 1:count] { \
    groups = 0; all = 0; n = 0; key = ""; \
    # include: panel
    stats $data index i - 1 using (missing(count_field) ? 1 : (look(0), 1)) nooutput; \
    set title title_of_result(i, small ? 50 : 70).(groups < all ? sprintf(" (%d of %d)", groups, all) : ""); \
    set label 1 (groups > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (groups == 0) { at[1] = NaN; share[1] = NaN; first[1] = 1; last[1] = 1; name[1] = "" }; \
    eval before_plot; \
    plot for [g = 1:larger(groups, 1)] at every ::first[g] - 1::last[g] - 1 \
        using (at[int($1)]):(100 * share[int($1)]) with steps \
        linecolor rgb palette_colour(g) linewidth 2 dashtype palette_dashes(g) title name[g]; \
}
# include: end
