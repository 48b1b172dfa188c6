# Axis of times since the start, from `begin` to `end`: in seconds, or in units of the clock.
time_unit = unit_of_times(larger(end, -begin))
since_label = "time since the start (".name_of_times(time_unit).")"
set xlabel fit_x(since_label)
if (compact && end > begin) { set xtics step((end - begin) / time_unit, 5) }
