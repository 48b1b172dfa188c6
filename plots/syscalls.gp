# System calls: one bar per call, thread, process or file, by time, or by number if there are no
# times. Orange if some calls failed. One panel per result, on a common scale.
# Columns: 1 what it is by, calls, errors, total (nanoseconds), share (a fraction).
# include: common
# include: axes
calls = field("calls")
errors = field("errors")
total = field("total")
share = field("share")
longest = 0.0
stats $data using (missing(total) ? 1 : (longest = larger(longest, column(total)), 1)) nooutput
timed = longest > 0
unit = timed ? scale_of(longest) : 1
set xlabel fit_x(timed ? "time in calls (".unit_of(unit).")" : "calls")
is_row(x) = timed ? (missing(total) ? 0 : column(total) > 0) : !missing(calls)
label(x) = !is_row(0) ? "" : strcol(1) eq "" ? "(none)" : shorten(strcol(1), label_width)
bar_end(x) = !is_row(0) ? 0 : timed ? column(total) / unit : column(calls)
bar_colour(x) = column(errors) > 0 ? 0xE69F00 : 0x0072B2
counted(number) = sprintf(number == 1 ? "%.0f call" : "%.0f calls", number)
comment(x) = !is_row(0) ? "" : (timed ? sprintf("%.1f %%, ", 100 * column(share)) : "") \
    .counted(column(calls)).(column(errors) > 0 && !measured ? sprintf(", %.0f failed", column(errors)) : "")
comment_room = 0.6
# include: bars
