# The axis of times since the start, from `begin` to `end`: seconds, or what the clock counts in.
time_unit = !has_clock && end >= 2e6 ? 1e6 : 1
since_label = "time since the start (".(has_clock ? "s" : (time_unit > 1 ? "million " : "").duration_unit).")"
set xlabel fit_x(since_label)
if (compact && end > begin) { set xtics step((end - begin) / time_unit, 5) }
