# Rows of a statement, value by label: one horizontal bar each, followed by its value. The bars of
# several series are adjacent, in colours. If there are too many, the first ones. With --logx the
# axis of values is logarithmic; bars of values up to 0 have no length.
# Columns: 1 label, 2 value, and with three columns 3 the name of the series; else 3 the value in words.
# include: common
# include: axes
has_series = field("series") > 0
text_of(text) = strlen(text) > 0 ? text : "(none)"
label_of(x) = text_of(strcol(1))
name_of(x) = has_series ? text_of(strcol(3)) : axis[2]
most_series = 14
most_labels = larger(shown, 1)

# Series and labels in order of appearance; without series, each row is a separate label, even with
# equal names. Series and label of each row; 0: not drawn.
array series[most_series + 1]
array labels[most_labels + 1]
array bars_of[most_labels + 1]
array row_series[rows + 1]
array row_label[rows + 1]
found = 0; label_count = 0
series_place(name) = (at = 0, unused = found < 1 ? 0 : sum [k = 1:found] (series[k] eq name ? (at = k) : 0), at)
series_of(name) = series_place(name) > 0 ? at : found < most_series ? \
    (found = found + 1, (series[found] = name), found) : 0
label_place(name) = (at = 0, unused = !has_series || label_count < 1 ? 0 : \
    sum [k = 1:label_count] (labels[k] eq name ? (at = k) : 0), at)
place_of(name) = label_place(name) > 0 ? at : label_count < most_labels ? \
    (label_count = label_count + 1, (labels[label_count] = name), (bars_of[label_count] = 0), label_count) : 0
keep(n, l, s) = ((row_label[n] = l), (row_series[n] = s), \
    l > 0 && s > 0 ? (bars_of[l] = bars_of[l] + 1) : 0, 0)
stats $data using (keep(int($0) + 1, valid(2) ? place_of(label_of(0)) : 0, \
    valid(2) ? series_of(name_of(0)) : 0), 0) nooutput

# Position of each label, with a gap after its bars if there are several; and labels that fit.
gap = found > 1 ? 1 : 0
array begin[most_labels + 2]
begin[1] = 0
do for [l = 1:label_count] { begin[l + 1] = begin[l] + bars_of[l] + gap }
drawn = 0
do for [l = 1:label_count] { if (l == 1 || begin[l + 1] - gap <= shown) { drawn = l } }
array bar_at[rows + 1]
log_axis = exists("wants_log_x")
low = 0.0; high = 0.0; least = 1e300; bars = 0; left_out = 0
do for [l = 1:label_count] { bars_of[l] = 0 }
stand(n, l, s, value) = l < 1 || s < 1 || l > drawn ? ((bar_at[n] = NaN), left_out = left_out + 1) : \
    ((bar_at[n] = begin[l] + bars_of[l]), (bars_of[l] = bars_of[l] + 1), bars = bars + 1, \
    low = smaller(low, value), high = larger(high, value), least = value > 0 ? smaller(least, value) : least)
stats $data using (stand(int($0) + 1, row_label[int($0) + 1], row_series[int($0) + 1], valid(2) ? column(2) : 0), 0) nooutput
if (bars < 1) { exit status nothing }
if (high <= 0) { log_axis = 0 }
bottom = log_axis ? 10**floor(log10(least) - 0.1) : 0.0
bar_end(x) = log_axis ? larger(column(2), bottom) : column(2)

title_end = left_out > 0 ? sprintf(" (%.0f of %.0f rows)", bars, bars + left_out) : ""
set title (given_title ne "" ? given_title : cut(axis[2]." by ".axis[1], title_room(60))).title_end
set xlabel fit_x(axis[2].(log_axis ? ", log scale" : ""))
set ytics scale 0 ("" nowhere)
own_y = 1
do for [l = 1:drawn] { \
    unused = note_name(shorten(labels[l], name_room(1))); \
    set ytics add (tic_label(shorten(labels[l], name_room(1))) begin[l] + (bars_of[l] - 1) / 2.0); \
}
if (has_series) { set key @key_place samplen 2 } else { unset key }
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}
set format x "%.10g"
span = high > low ? high - low : 1
beyond = has_series ? 0.03 : 0.2
if (log_axis) { \
    end = high * (high / bottom)**beyond; \
    set logscale x; \
    log_x = 1; \
    set xrange [bottom:end]; \
} else { set xrange [low < 0 ? low - beyond * span : 0:high > 0 ? high + beyond * span : beyond * span] }
set yrange [larger(6, begin[drawn + 1] - gap) - 0.5:-0.5]
bar(s) = row_series[int($0) + 1] == s ? bar_at[int($0) + 1] : NaN
# include: foot
if (log_axis) { eval log_tics("x", bottom, end, 0) }
eval before_plot
plot for [s = 1:found] $data using (bottom):(bar(s)):(bottom):(bar_end(0)):(bar(s) - half):(bar(s) + half) \
        with boxxyerror linecolor rgb palette_colour(s) fillstyle solid 1 border linecolor rgb "black" \
        title has_series ? series[s] : "", \
    $data using (has_series || !(bar(1) >= 0) ? nowhere : larger(column(2), bottom)):(has_series ? 0 : bar(1)): \
        (has_series ? "" : strcol(3)) with labels left offset 1, 0 notitle
# include: remarks
