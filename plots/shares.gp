# Shares of a whole: one bar per row, with its count. One panel per result, on a common scale.
# Columns: 1 name, 2 count, 3 share (fraction).
# include: common
# include: axes
set xlabel fit_x("share (%)")
is_row(x) = !missing(3)
label(x) = missing(3) ? "" : shorten(strcol(1), label_width)
bar_end(x) = missing(3) ? 0 : 100 * column(3)
bar_colour(x) = 0x0072B2
comment(x) = missing(3) ? "" : sprintf("%.2f %% (%.0f)", bar_end(0), column(2))
comment_room = 0.25
# include: bars
