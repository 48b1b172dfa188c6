# Service times of components: one bar per service, in order of their starts, dark if it ended,
# light if it lasted until the end of the log. One panel per result, on a common scale.
# Columns: 1 component, 3 start (since that of the trace) and 4 service (nanoseconds or counter
# units), 5 ended, 6 trace (where there are several).
# include: common
# include: axes
has_time(x) = !missing(4)
longest = 0.0
stats $data using (has_time(0) ? (longest = larger(longest, column(4)), 1) : 1) nooutput
scale = scale_of(longest)
set xlabel fit_x("service (".unit_of(scale).")")
is_row(x) = !missing(3)
label(x) = is_row(0) ? shorten(strcol(1), label_width) : ""
bar_end(x) = has_time(0) ? column(4) / scale : 0
bar_colour(x) = strcol(5) eq "log" ? 0xC3DFF0 : 0x0072B2
comment(x) = !is_row(0) ? "" : (has_time(0) ? sprintf("%.4g", bar_end(0)) \
    .(strcol(5) eq "log" ? ", until the log ended" : "") : "no end") \
    .(words(column_names) > 5 ? ", ".cut(strcol(6), 20) : "")
comment_room = 0.45
# include: bars
