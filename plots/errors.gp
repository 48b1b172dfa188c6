# Failed calls: one bar per error of a call on a file, or of a process or thread, by number of
# failures, with the share of these calls that failed so. One panel per result, on a common scale.
# Columns: name, error and file, process or thread in any order; count, calls, rate (a fraction).
# include: common
# include: axes
count_of = field("count")
calls = field("calls")
rate = field("rate")
set xlabel fit_x("calls that failed")
is_row(x) = !missing(count_of)
part(n, room) = strcol(n) eq "" ? "(none)" : cut(strcol(n), room)
label(x) = !is_row(0) ? "" : part(1, label_width / 3).", ".part(2, label_width / 3).", " \
    .shorten(strcol(3) eq "" ? "(none)" : strcol(3), larger(6, label_width - 4 \
    - smaller(strlen(strcol(1)), label_width / 3) - smaller(strlen(strcol(2)), label_width / 3)))
bar_end(x) = is_row(0) ? column(count_of) : 0
bar_colour(x) = 0xE69F00
comment(x) = is_row(0) ? sprintf("%.1f %% of %.0f", 100 * column(rate), column(calls)) : ""
comment_room = 0.4
# include: bars
