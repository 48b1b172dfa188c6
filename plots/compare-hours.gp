# Two traces hour by hour, side by side: events per second of the covered part of the hour. Hours
# covered for less than a minute are hatched, because they cannot be compared.
# Columns: 1 hour, rate_a, rate_b, seconds_a, seconds_b.
# include: common
# include: sides
own_x = 1
own_y = 1
# include: axes
array rate[2]
array seconds[2]
do for [k = 1:2] { \
    rate[k] = field("rate_".side_letter(k)); \
    seconds[k] = field("seconds_".side_letter(k)); \
}
is_seen(k) = valid(seconds[k]) && column(seconds[k]) >= 60 && valid(rate[k])
note(hour) = (last = larger(last, hour), \
    high = larger(high, larger(is_seen(1) ? column(rate[1]) : 0, is_seen(2) ? column(rate[2]) : 0)))
last = 0
high = 0.0
stats $data using (note($1), 1) nooutput
if (high <= 0) { exit status nothing }
# include: foot
unit = high < 0.1 ? 1.0 / 3600 : 1.0
set title title_of_all(small ? 60 : 80)
set xlabel fit_x("hour")
set ylabel fit_y(unit < 1 ? "events an hour of time seen" : "events a second of time seen")
set xrange [-0.6:last + 0.6]
set xtics last <= 25 && !small && !narrow ? 1 : last <= 50 ? 3 : ceil(last / 120.0) * 12
set yrange [0:1.05 * high / unit]
set key @key_below Left reverse samplen 2 maxrows 1
if (!small) { set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
left(k) = $1 - 0.4 + 0.4 * (k - 1)
top(k) = is_seen(k) ? column(rate[k]) / unit : 0
unseen(k) = is_seen(k) ? 0 : 1.05 * high / unit
eval before_plot
plot for [k = 1:2] $data using 1:(top(k)):(left(k)):(left(k) + 0.4):(0):(top(k)) with boxxyerror \
        linecolor rgb side_colour(k) fillstyle pattern (k == 1 ? 3 : 4) \
        border linecolor rgb "black" title side_title(k), \
    for [k = 1:2] $data using 1:(unseen(k)):(left(k)):(left(k) + 0.4):(0):(unseen(k)) with boxxyerror \
        linecolor rgb "#B0B0B0" fillstyle pattern 5 noborder title k == 1 ? "not seen" : ""
# include: end
