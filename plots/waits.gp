# Waits of threads: one bar per call of a thread, by time, with its share of the thread's time. One
# colour per category of waits. One panel per result, on a common scale.
# Columns: 1 thread, 2 waits_for, 3 name, calls, total (nanoseconds), share (a fraction), maybe file.
# include: common
# include: axes
calls = field("calls")
total = field("total")
share = field("share")
longest = 0.0
stats $data using (missing(total) ? 1 : (longest = larger(longest, column(total)), 1)) nooutput
unit = scale_of(longest)
set xlabel fit_x("time in calls (".unit_of(unit).")")
of_file(x) = field("file") == 0 ? "" : ", ".(strcol(field("file")) eq "" ? "(none)" : strcol(field("file")))
is_row(x) = missing(total) ? 0 : column(total) > 0
label(x) = !is_row(0) ? "" : cut(strcol(1), label_width / 2).": ".shorten(strcol(3).", ".strcol(2).of_file(0), \
    label_width - 2 - smaller(strlen(strcol(1)), label_width / 2))
bar_end(x) = is_row(0) ? column(total) / unit : 0
what(x) = strcol(2)
bar_colour(x) = what(0) eq "lock" ? 0xD55E00 : what(0) eq "storage" || what(0) eq "file" \
        || what(0) eq "filesystem" ? 0x0072B2 \
    : what(0) eq "event" || what(0) eq "peer" || what(0) eq "pipe" ? 0x009E73 : 0xBBBBBB
counted(number) = sprintf(number == 1 ? "%.0f call" : "%.0f calls", number)
comment(x) = is_row(0) ? sprintf("%.1f %%, ", 100 * column(share)).counted(column(calls)) : ""
comment_room = 0.5
# include: bars
