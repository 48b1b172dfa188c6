# Callers and callees of a function, one bar each: its share of the function's time, or of the calls
# if there are no times. Orange: callers; blue: the function; green: callees. One panel per result,
# on a common scale.
# Columns: 1 relation, 2 name, 3 calls, 4 calls_share, 6 total_share (fractions).
# include: common
# include: axes
timed = 0
stats $data using (missing(6) ? 1 : (timed = 1, 1)) nooutput
set xlabel fit_x(timed ? "share of the function's time (%)" : "share of the calls (%)")
is_row(x) = !missing(3)
label(x) = is_row(0) ? strcol(1).": ".shorten(strcol(2), label_width - 10) : ""
bar_end(x) = is_row(0) && !missing(timed ? 6 : 4) ? 100 * column(timed ? 6 : 4) : 0
bar_colour(x) = strcol(1) eq "caller" ? 0xE69F00 : strcol(1) eq "callee" ? 0x009E73 : 0x0072B2
comment(x) = !is_row(0) ? "" : sprintf("%.2f %%, %.0f %s", bar_end(0), column(3), \
    column(3) == 1 ? "call" : "calls")
comment_room = 0.4
# include: bars
