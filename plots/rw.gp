# Reads and writes: each class's share of the I/Os or calls, and of the bytes. One panel per result.
# Columns: 1 class, 2 count, count_share, bytes_share (fractions).
# include: common
# include: axes

all_count = 0.0
stats $data using (missing(2) ? NaN : (all_count = all_count + $2, 1)) nooutput
if (all_count <= 0) { exit status nothing }
bars = 2
bar_field(k) = field(k == 1 ? "count_share" : "bytes_share")
is_row(x) = !missing(2)
bar_from(k) = 0
bar_to(k) = column(bar_field(k))
bar_left(k) = k == 1 ? -0.38 : 0
bar_right(k) = k == 1 ? 0 : 0.38
counted = strstrt(report_title, "system calls") > 0 ? "calls" : "I/Os"
bar_title(k) = k == 1 ? counted : "bytes"
bar_colour(k) = k == 1 ? "#0072B2" : "#E69F00"
bar_pattern(k) = k == 1 ? 3 : 4
bar_label(k) = is_row(0) ? percent(bar_to(k)) : ""
# include: beside
