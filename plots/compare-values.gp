# Comparison: cumulative values, such as times of I/Os. One panel per group of values.
# Columns: 1 value (nanoseconds or counter units), cumulative_a, cumulative_b (fractions).
# include: common
# include: sides
own_x = 1
own_y = 1
# include: axes
curve_of_a = field("cumulative_a")
curve_of_b = field("cumulative_b")
curve(k) = k == 1 ? curve_of_a : curve_of_b

# A logarithmic axis has no 0; zeros are drawn at its start.
note(value) = (low = value > 0 && value < low ? value : low, high = larger(high, value))
low = 1e300
high = 0.0
stats $data using (absent(1) ? 1 : (note($1), 1)) nooutput
if (high <= 0) { exit status nothing }
unit = scale_of(high)
begin = 0.9 * low / unit
end = 1.1 * high / unit
place(value) = larger(value / unit, begin)
part_of(time) = !has_clock ? scale_of(time) : time >= 0.9999e9 ? 1e9 : time >= 0.9999e6 ? 1e6 : time >= 0.9999e3 ? 1e3 : 1
in_words(value) = sprintf("%.4g %s", value / part_of(value), unit_of(part_of(value)))
set logscale x
log_x = 1
set xrange [begin:end]
axis = log_label("value")
set ylabel fit_y(upright("cumulative share (%)", "share (%)"))
eval log_tics("x", begin, end, unit)
# include: two-curves
