# Cumulative times of I/Os or calls: share that took no longer, as a step curve for each of the
# largest groups. With --ccdf, share that took longer, on logarithmic axes. One panel per result, on
# a common scale, or all overlaid.
# layouts: panels overlay
# Columns: 1 what they are by, count, time (nanoseconds or counter units) and cumulative (a fraction) of
# each point of the group's curve, beyond (how many took longer); a group without a curve has one row
# without these.
# include: common
# include: axes
# include: time-groups
count_field = field("count")
time_field = field("time")
share_field = field("cumulative")
beyond_field = field("beyond")
has_point(x) = !missing(time_field)

# A logarithmic axis of times has no 0; zeros are drawn at its start. The same holds for shares:
# there a curve ends at the bottom, at its longest time.
note(time) = (low = time > 0 && time < low ? time : low, high = larger(high, time), \
    rarest = beyond_field > 0 && column(beyond_field) > 0 ? smaller(rarest, share(0)) : rarest)
share(x) = beyond_field > 0 ? 100.0 * column(beyond_field) / column(count_field) : 100 * column(share_field)
low = 1e300
high = 0.0
rarest = 100.0
stats $data using (has_point(0) ? (note(column(time_field)), 1) : 1) nooutput
if (high <= 0) { exit status nothing }
begin = 0.9 * low
end = 1.1 * high
bottom = 10**floor(log10(rarest) - 1e-9)
place(time) = larger(time, begin)
height(x) = beyond_field > 0 && column(beyond_field) == 0 ? bottom : share(0)
set xlabel fit_x(log_label(time_label))
set ylabel fit_y(beyond_field > 0 ? (small || count > 1 ? "longer (%)" : "share of those longer (%), log scale") : \
    small || count > 2 || (measured && panels) ? "share (%)" : "cumulative share (%)")
set logscale x
log_x = 1
set xrange [begin:end]
if (beyond_field > 0) { set logscale y; log_y = 1; set yrange [bottom:100] } else { set yrange [0:100]; set ytics 20 }
set key @key_place Left reverse samplen key_sample
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

# Rows of a group are adjacent. Its curve begins at the left edge, at 0 or at all of them.
drawn = 9 * (over ? results : 1)
array at[rows + 2 * drawn]
array height_of[rows + 2 * drawn]
array first[drawn]
array last[drawn]
array name[drawn]
array result[drawn]
array nth[drawn]
# Whether results have several curves, and their total number.
several = 0
curves = 0
do for [i = 1:results] { \
    all = 0; key = ""; \
    stats $data index i - 1 using (missing(count_field) || !has_point(0) ? 1 : \
        (all = all + (all == 0 || key ne strcol(1)), key = strcol(1), 1)) nooutput; \
    several = several || all > 1; \
    curves = curves + all; \
}
key_letters = over ? key_room(larger(curves, 1), 30) : 30
amount(x) = sprintf(", n = %.0f", column(count_field))
of_result(i) = !over ? "" : short_name(i, several ? key_letters / 2 : key_letters).(several ? ": " : "")
name_of(i) = (all_of = of_result(i).(several || of_result(i) eq "" ? group_of(0) : ""), \
    all_of.(strlen(all_of.amount(0)) <= key_letters ? amount(0) : ""))
put(time, part) = (n = n + 1, at[n] = time, height_of[n] = part, groups > 0 ? (last[groups] = n) : 0)
begin_group(i) = (groups = groups + 1, groups_of = groups_of + 1, (name[groups] = name_of(i)), (result[groups] = i), \
    (nth[groups] = groups_of), put(begin, beyond_field > 0 ? 100.0 : 0.0), (first[groups] = n))
look(i) = (is_new = all == 0 || key ne strcol(1), key = strcol(1), all = all + is_new, \
    !has_point(0) ? 0 : (is_new ? begin_group(i) : 0, put(place(column(time_field)), height(0))))
curve_colour(g) = palette_colour(!over ? g : result[g])
curve_dashes(g) = palette_dashes(!over || !several ? g : nth[g])
own_keys = 1
# include: panels
if (crowded) { set key font little_font spacing 0.95 }
do for [i = 1:count] { \
    groups = 0; all = 0; n = 0; \
    # include: panel
    do for [r = first_of(i):last_of(i)] { \
        key = ""; groups_of = 0; all = over ? 0 : all; \
        stats $data index r - 1 using (missing(count_field) ? 1 : (look(r), 1)) nooutput; \
    }; \
    set title title_and(i, small ? 50 : 70, over ? "" : some_shown(i, groups, all)); \
    set label 1 (groups > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    longest = 1; \
    do for [g = 1:groups] { longest = larger(longest, text_width(shorten(name[g], key_letters)) / 0.56) }; \
    if (measured) { set key maxcols over ? key_columns(curves, 8) : larger(1, int(1.9 * beside_middle(0) * letters_in(1, little) / (longest + 6))) }; \
    if (groups == 0) { at[1] = NaN; height_of[1] = NaN; first[1] = 1; last[1] = 1; name[1] = ""; result[1] = 1; nth[1] = 1 }; \
    beside_letters = in_page || small ? 0 : longest + 7; \
    eval log_tics("x", begin, end, 1); \
    if (beyond_field > 0) { eval log_tics("y", bottom, 100, 0) }; \
    eval before_plot; \
    plot for [g = 1:larger(groups, 1)] at every ::first[g] - 1::last[g] - 1 \
        using (at[int($1)]):(height_of[int($1)]) with steps linecolor rgb curve_colour(g) linewidth 2 \
        dashtype curve_dashes(g) title key_title(g, groups, shorten(name[g], key_letters)); \
}
# include: end
