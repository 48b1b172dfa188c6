# Stacked bars: one bar per text of column 1 (its rows are adjacent), with a part per text of column
# 2, in the same order and colours everywhere. After seven colours, they repeat striped. If a result
# has more bars than the panel has space for, the largest ones are drawn, in the order of their rows.
#
# The plot defines: no_part(x), whether the row has none; part(x), its length; order_by(x), summed
# for the order of the kinds and for the size of bars; is_told_apart(x), whether the kind may have
# its own part; most, the number of kinds that have one: those with the longest part (largest(x), of
# a row). The rest is one part, "others (n)". Also unit, the value of 1 on the axis, and axis_end,
# its end (0: the longest bar); is_time, whether that determines the unit; bar_name(x) and
# kind_name(x). If the axis is in per cent, large parts are labelled.
#
# With `by_class`, one bar per row, with a part per class; part() is of class k. With `by_column`,
# one bar per word k of `column_bars`, with a part per row; part() is of bar k.
kind_colour(t) = by_class ? class_colour(t) : t > most ? "#E0E0E0" : \
    word("#0072B2 #E69F00 #009E73 #CC79A7 #606060 #56B4E9 #D55E00", (t - 1) % 7 + 1)
kind_pattern(t) = by_class ? class_pattern(t) : t > most || t <= 7 ? 3 : t <= 14 ? 4 : 5

rows_are = plural(word(column_names, 1))
names_font = crowded ? little : 1
label_width = name_room(names_font)
part_name_width = larger(14, letters_in(0.2 * panel_width(0), crowded ? 0.6 : 1))
shown = rows_that_fit(0)
set ytics scale 0
own_y = 1
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

# Kinds of all results, at most a hundred; kind 101 is all others. A result without rows has one row
# of NaN.
array type[100]
array amount[100]
array size[100]
array slot[101]
types = 0
others = 0
bars_seen = 0
# All types in one text: a search there is a hundred times as fast as one in the array.
all_types = "\t"
add(name) = types == 100 ? 101 : (types = types + 1, (type[types] = name), (amount[types] = 0), \
    (size[types] = 0), all_types = all_types.name."\t", types)
index_of(name) = strstrt(all_types, "\t".name."\t") == 0 ? 0 : \
    (found = 0, unused = sum [k = 1:types] (type[k] eq name ? (found = k) : 0), found)
known(name) = (at = index_of(name), at > 0 ? at : add(name))
kind(x) = is_told_apart(0) ? known(kind_name(0)) : 101
count_in(t, number, length) = t > 100 ? (others = 1) : ((amount[t] = amount[t] + number), \
    (size[t] = larger(size[t], length)), 0)
stats $data using (no_part(0) ? 1 : (by_class ? 0 : count_in(kind(0), order_by(0), largest(0)), \
    bars_seen = bars_seen + 1, note_name(shorten(bar_name(0), label_width)), 1)) nooutput
# Classes keep their order.
do for [t = 1:by_class && bars_seen > 0 ? classes : 0] { \
    unused = count_in(known(class(t)), classes - t, classes - t); \
}
if (types == 0) { exit status nothing }
do for [b = 1:by_column ? words(column_bars) : 0] { unused = note_name(word(column_bars, b)) }

# Order of the kinds. Kinds after the last colour are merged, and labelled with their number if it
# is known.
if (types == most + 1 && !others) { most = types }
is_longer(k, t) = size[k] > size[t] || (size[k] == size[t] && k < t) ? 1 : 0
array is_chosen[100]
do for [t = 1:types] { is_chosen[t] = (sum [k = 1:types] is_longer(k, t)) < most }
before(k, t) = is_chosen[k] && (amount[k] > amount[t] || (amount[k] == amount[t] && k < t)) ? 1 : 0
rank(t) = is_chosen[t] ? 1 + sum [k = 1:types] before(k, t) : most + 1
slots = smaller(types, most) + (types > most || others ? 1 : 0)
slot[101] = slots
array slot_name[most + 1]
array slot_sum[most + 1]
slot_name[slots] = others ? "others" : sprintf("others (%d)", types - most)
do for [t = 1:types] { \
    slot[t] = rank(t) > most ? slots : rank(t); \
    if (rank(t) <= most) { slot_name[slot[t]] = type[t] }; \
}

# Bars of a result (their rows are adjacent), and the ends of their parts.
if (by_column) { shown = larger(shown, words(column_bars)) }
array partition[shown]
array share[shown * (most + 1)]
next_bar(name) = name eq last && column(-2) == in_result ? 0 : \
    (n = n + 1, last = name, in_result = column(-2), 1)
# The largest bars of each result: those above least_size, and of_least of that size. Bars of all
# results are counted through; first_bar is the number of those before a result.
array bar_size[bars_seen + 1]
array first_bar[results + 1]
array least_size[results]
array of_least[results]
array kept[shown]
do for [i = 1:results + 1] { first_bar[i] = 0 }
do for [i = 1:results] { of_least[i] = 0 }
measure(name, size) = (next_bar(name) ? (bar_size[n] = 0.0) : 0, bar_size[n] = bar_size[n] + size, \
    first_bar[in_result + 2] = n)
find_least(x) = (least_at = 1, sum [k = 1:shown] (kept[k] < kept[least_at] ? (least_at = k) : 0))
keep(size) = size > kept[least_at] ? (kept[least_at] = size, find_least(0)) : 0
choose_bars(i) = (unused = sum [k = first_bar[i] + 1:first_bar[i + 1]] (keep(bar_size[k]), 0), \
    least_size[i] = kept[least_at], of_least[i] = sum [k = 1:shown] (kept[k] == least_size[i]))
chooses = !by_column && bars_seen > shown
if (chooses) { \
    n = 0; last = ""; in_result = -1; \
    stats $data using (no_part(0) ? 1 : (measure(bar_name(0), order_by(0)), 1)) nooutput; \
    do for [i = 1:results] { \
        first_bar[i + 1] = larger(first_bar[i], first_bar[i + 1]); \
        do for [k = 1:shown] { kept[k] = -1.0 }; \
        least_at = 1; \
        unused = choose_bars(i); \
    }; \
}
is_of_least(k) = bar_size[k] == least_size[i] && left_of_least > 0 ? \
    (left_of_least = left_of_least - 1, 1) : 0
is_drawn(k) = !chooses || bar_size[k] > least_size[i] || is_of_least(k)
enter(name) = !next_bar(name) ? bar : is_drawn(n) ? \
    (bars = bars + 1, partition[bars] = name, bar = bars) : (bar = 0)
fill(cell, value) = (share[cell] = share[cell] + value)
note(name, t, value) = enter(name) > 0 ? fill((bar - 1) * (most + 1) + slot[t], value) : 0
note_columns(t) = (sum [k = 1:n] (fill((k - 1) * (most + 1) + slot[t], part(k)), 0))
note_row(x) = by_column ? note_columns(kind(0)) : !by_class ? note(bar_name(0), kind(0), part(1)) : \
    (sum [k = 1:classes] (note(bar_name(0), k, part(k)), 0))
left(p, t) = t < 2 ? 0 : sum [k = 1:t - 1] share[(p - 1) * (most + 1) + k]
tic_font = sized(crowded ? little : 1)
enter_columns(x) = (n = smaller(shown, words(column_bars)), bars = n, \
    sum [k = 1:n] ((partition[k] = word(column_bars, k)), 0))
begin_bars(x) = (n = first_bar[i], bars = 0, last = "", in_result = -1, \
    left_of_least = of_least[i], \
    unused = sum [k = 1:shown * (most + 1)] ((share[k] = 0.0), 0), by_column ? enter_columns(0) : 0)
part_font = sized(0.6)
part_size = larger(0.6, in_page ? 1 : least_part)
panel_title(i) = title_of_rows(i, small ? 50 : 70, by_column ? bars : n - first_bar[i])
longest = 0.0
do for [k = 1:slots] { slot_sum[k] = 0.0 }
do for [i = 1:count] { \
    unused = begin_bars(0); \
    stats $data index i - 1 using (no_part(0) ? 1 : (note_row(0), 1)) nooutput; \
    do for [p = 1:bars] { \
        longest = larger(longest, left(p, slots + 1)); \
        do for [k = 1:slots] { slot_sum[k] = slot_sum[k] + share[(p - 1) * (most + 1) + k] }; \
    }; \
}
if (axis_end <= 0) { \
    if (longest <= 0) { exit status nothing }; \
    if (is_time) { \
        unit = scale_of(longest); \
        set xlabel fit_x((exists("axis_of") ? axis_of : "self time")." (".unit_of(unit).")"); \
    }; \
    axis_end = 1.05 * longest / unit; \
    if (small) { set xtics step(axis_end, 4) }; \
}

# Shares are printed in parts that are large enough.
key_size = crowded ? 0.6 : panels ? little : 1
key_font = sized(key_size)
key_letters = 0
do for [t = 1:slots] { \
    if (slot_sum[t] > 0) { key_letters = larger(key_letters, strlen(shorten(slot_name[t], part_name_width))) }; \
}
if (measured) { set key width key_slack(key_letters) samplen 1 }
if (in_page && !panels) { set key width -0.05 * key_letters samplen 1 }
key_part = (0.62 * key_letters + 4) * key_size * points_drawn * letter / term_width
per_cent_width = 3.9 * part_size * points_drawn * letter / term_width
axis_part = measured ? (pass == 2 ? x_room[1] : 20) * letter / term_width : \
    larger(0.1, panel_width(0) - names_part(0) - (in_page ? 0 : key_part) - 0.03)
has_per_cent(size) = !small && !is_time && unit == 0.01 && size / axis_end * axis_part > per_cent_width
per_cent(size) = has_per_cent(size) ? sprintf("%.1f %%", size) : "-"
# Half the size of the white background below such a number, in axis units.
ground_width(text) = (strlen(text) + 0.5) * 0.5 * 0.62 * part_size * points_drawn * letter / term_width / axis_part * axis_end
ground_height(x) = smaller(half, 0.5 * part_size * 1.25 * points_drawn * letter * bars / \
    (measured ? y_room[1] * letter : larger(1, panel_height(0) * term_height - 7 * letter)))
is_said(x) = strcol(4) ne "-"
# include: panels
if (panels) { set key font key_font spacing crowded ? 0.8 : 0.9 samplen crowded ? 0.5 : 1 }
do for [i = 1:count] { \
    set autoscale; \
    # include: panel
    unused = begin_bars(0); \
    stats $data index i - 1 using (no_part(0) ? 1 : (note_row(0), 1)) nooutput; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set xrange [0:axis_end]; \
    set yrange [(bars > 0 ? bars : 1) - 0.5:-0.5]; \
    unset ytics; \
    own_y = 1; set ytics () scale 0 font tic_font; \
    do for [p = 1:bars] { set ytics add (tic_label(shorten(partition[p], label_width)) p - 1) }; \
    set print $bar; \
    do for [t = 1:slots] { \
        do for [p = 1:bars > 0 ? bars : 1] { \
            print sprintf("%d\t%.6f\t%.6f\t%s", p - 1, left(p, t) / unit, left(p, t + 1) / unit, \
                per_cent(100 * share[(p - 1) * (most + 1) + t])); \
        }; \
    }; \
    set print; \
    bars = bars > 0 ? bars : 1; \
    eval before_plot; \
    plot for [t = 1:slots] $bar every ::(t - 1) * bars::t * bars - 1 \
            using 2:1:2:3:($1 - half):($1 + half) with boxxyerror linecolor rgb kind_colour(t) \
            fillstyle pattern kind_pattern(t) border linecolor rgb "black" \
            title slot_sum[t] > 0 ? shorten(slot_name[t], part_name_width) : "", \
        $bar using (is_said(0) ? 0.5 * ($2 + $3) : NaN):1: \
            (0.5 * ($2 + $3) - ground_width(strcol(4))):(0.5 * ($2 + $3) + ground_width(strcol(4))): \
            ($1 - ground_height(0)):($1 + ground_height(0)) with boxxyerror linecolor rgb "white" \
            fillstyle solid 1 noborder notitle, \
        $bar using (is_said(0) ? 0.5 * ($2 + $3) : nowhere):1:(strcol(4)) with labels \
            center font part_font notitle; \
}
# include: end
