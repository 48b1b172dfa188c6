# The log without its most popular operations: shares of events and bytes, and the time of logging
# them as a share of the run time; for all operations, the popular ones, and all others. One panel
# per result.
# Columns: 1 part, events_share, bytes_share, time_share (fractions).
# include: common
# include: axes

bars = 3
bar_field(k) = field(word("events_share bytes_share time_share", k))
has_value(k) = !missing(bar_field(k))
is_row(x) = has_value(1)
any = 0
stats $data using (is_row(0) ? (any = any || column(bar_field(1)) > 0, 1) : 1) nooutput
if (!any) { exit status nothing }
bar_from(k) = 0
bar_to(k) = has_value(k) ? column(bar_field(k)) : NaN
bar_left(k) = -0.38 + (k - 1) * 0.76 / 3
bar_right(k) = -0.38 + k * 0.76 / 3
bar_title(k) = k == 1 ? "of the events" : k == 2 ? "of the bytes" : "of the run time"
bar_colour(k) = word("#0072B2 #E69F00 #009E73", k)
bar_pattern(k) = int(word("3 4 5", k))
bar_label(k) = has_value(k) ? percent(bar_to(k)) : ""
# include: beside
