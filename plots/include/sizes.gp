# Axis of sizes, column 1 of all results: in doublings, at place(size). Tics at powers of 2, as many
# as are readable. Sizes of 0 are at the left end.
readable(size) = size < 1024 ? sprintf("%.0f B", size) : \
    size < 1048576 ? sprintf("%.0f KiB", size / 1024) : \
    size < 1073741824 ? sprintf("%.0f MiB", size / 1048576) : sprintf("%.0f GiB", size / 1073741824)
note(size) = (low = size > 0 && size < low ? size : low, high = size > high ? size : high, \
    none = size == 0 ? 1 : none)
low = 1e300
high = 0.0
none = 0
stats $data using (valid(1) ? (note($1), 1) : 1) nooutput
first = high > 0 ? floor(log(low) / log(2.0) + 1e-9) : 9
last = high > 0 ? ceil(log(high) / log(2.0) - 1e-9) : 10
step = 1 + (last - first) / (measured ? larger(2, int((pass == 2 ? x_room[1] : 20) / 6.3)) : in_page ? 5 : small || letters_in(1, 1) < 70 ? 6 : 9)
place(size) = size > 0 ? log(size) / log(2.0) : first - step
set xrange [(none ? first - step : first) - 0.3 * step:last + 0.3 * step]
own_x = 1
set xtics ("0" first - step)
if (!none) { \
    set xtics (readable(2.0**first) first); \
}
do for [i = first:last:step] { set xtics add (readable(2.0**i) i) }
