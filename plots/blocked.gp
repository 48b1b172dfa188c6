# Time that threads were blocked: wall time minus CPU time, of the calls' self time. One bar per
# function of a thread, or per thread, with its share of the total. One panel per result, on a
# common scale.
# Columns: 1 thread, name (where functions are distinguished), calls, blocked_self (nanoseconds or counter
# units), share (a fraction).
# include: common
# include: axes
function = field("name")
calls = field("calls")
blocked = field("blocked_self")
share = field("share")
longest = 0.0
stats $data using (missing(blocked) ? 1 : (longest = larger(longest, column(blocked)), 1)) nooutput
unit = scale_of(longest)
set xlabel fit_x("time blocked (".unit_of(unit).")")
is_row(x) = missing(blocked) ? 0 : column(blocked) > 0
label(x) = !is_row(0) ? "" : function == 0 ? shorten(strcol(1), label_width) : \
    cut(strcol(1), label_width / 2).": ".shorten(strcol(function), \
        label_width - 2 - smaller(strlen(strcol(1)), label_width / 2))
bar_end(x) = is_row(0) ? column(blocked) / unit : 0
bar_colour(x) = 0x0072B2
counted(number) = sprintf(number == 1 ? "%.0f call" : "%.0f calls", number)
comment(x) = is_row(0) ? sprintf("%.1f %%, ", 100 * column(share)).counted(column(calls)) : ""
comment_room = 0.55
# include: bars
