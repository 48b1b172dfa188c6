# Axis labels for times of I/Os, of their stages or of calls, and for their groups.
is_io = strstrt(report_title, "Times of calls") == 0
asked = 0
do for [k = 1:remarks] { if (strstrt(remark[k], "latency: queue (Q) to completion") == 1) { asked = 1 } }
issue_at = strstrt(report_title, "from issue to")
if (asked && issue_at > 0) { report_title = report_title[1:issue_at + 4]."queue".report_title[issue_at + 10:*] }
time_label = strstrt(report_title, "Times between") == 1 ? "time between ".(strstrt(report_title, "calls") > 0 ? \
    "starts of calls" : "arrivals") : field("stage") > 0 ? "time between two steps" : \
    strstrt(report_title, "From woken") == 1 ? "time from woken to running" : !is_io ? "time of calls" : \
    asked ? "time from queue to completion" : "time from issue to completion"
# Idle times are numbers; the first I/O has none. A size is the smallest one of its row, in bytes.
grouped_by = word(column_names, 1)
of_idle(x) = !valid(1) || strcol(1) eq "NaN" ? "the first" : column(1) == 0 ? "not idle" : "from ".in_words(column(1))
group_of(x) = grouped_by eq "idle" ? of_idle(0) : grouped_by eq "size" && valid(1) ? bytes_in_words(column(1)) : strcol(1) eq "" ? "(none)" : strcol(1)
