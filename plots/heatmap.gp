# Durations of I/Os, calls or states over time: one cell per interval and twentieth of a power of ten,
# darker for more of them. Durations of 0 are below the lowest cell. One panel per result, on common
# scales and colours.
# Columns: 1 time (seconds or counter units), latency, count, column, row (0: no time; 1 begins at 1, and 20
# are ten times as much), length (of an interval, as time).
# include: common
# include: axes
# include: heat
length = field("length")
column_field = field("column")
row_field = field("row")
amount = field("count")

if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}
of_calls = strstrt(report_title, "Times of calls") == 1
of_states = strstrt(report_title, "Times of states") == 1
set cblabel of_calls ? "calls" : of_states ? "states" : "I/Os" font little_font
set cbtics font little_font

# Each result has its own grid, possibly with other intervals; the axes are common.
array first_time[count]
array cell_length[count]
array last_column[count]
note_grid(i) = ((cell_length[i] = column(length)), \
    (first_time[i] = $1 - column(column_field) * column(length)), \
    (last_column[i] = larger(last_column[i], column(column_field))))
note_row(row) = row > 0 ? (low = smaller(low, row), high = larger(high, row)) : (zero = 1)
note(i) = (all = all + 1, note_grid(i), \
    begin = smaller(begin, $1), end = larger(end, $1 + column(length)), note_row(column(row_field)))
all = 0; begin = 1e300; end = -1e300; low = 1e300; high = 0; zero = 0
do for [i = 1:count] { \
    cell_length[i] = 1; first_time[i] = 0; last_column[i] = 0; \
    stats $data index i - 1 using (missing(2) ? 0 : (note(i), 0)) nooutput; \
}
if (all == 0) { exit status nothing }
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
# include: since
if (low > high) { low = 1; high = 1 }
lowest = low - zero
set ylabel fit_y((panels || small ? "time" : \
    of_calls ? "time of a call" : of_states ? "time of a state" : "time from issue to completion") \
    .(has_clock ? "" : " (".duration_unit.")").(small ? "" : ", log scale"))
own_y = 1
set ytics ()
own_y = 1
tens = (high - lowest) / 20.0
pace = measured && pass == 2 ? larger(1, ceil(tens / (y_room[1] / 1.6))) : 1
# Few rows have a number at each edge.
edges = tens < 0.4 && lowest > 20
if (edges && zero) { set ytics add ("0" lowest - 0.5) }
do for [k = edges ? int(low) - 1 : 0:edges ? int(high) : -1] { set ytics add (in_words(10.0**(k / 20.0)) k) }
do for [k = 0:edges ? -1 : 18:int(pace)] { \
    if (pace > 1 || tens >= 2 || k * 20 + 20 < lowest || k * 20 > high) { set ytics add (in_words(10.0**k) 20 * k) } \
    else { do for [part in "1 2 5"] { \
        set ytics add (in_words(part * 10.0**k) 20 * (k + log10(real(part)))) \
    } } \
}
panel_title(i) = title_of_result(i, small ? 60 : 80)

# Merges cells so that none is too small to be seen.
wide(i) = larger(1, ceil((end - begin) / heat_wide / cell_length[i]))
high_of(i) = larger(1, ceil((high - lowest + 1.0) / heat_high / 2))
begin_fill(i) = heat_size(ceil((last_column[i] + 1.0) / wide(i)), ceil((high - lowest + 1.0) / high_of(i)))
fill(i) = heat_add(column(column_field) / wide(i), (larger(column(row_field), lowest) - lowest) / high_of(i), column(amount))
most = 0
do for [i = 1:count] { \
    unused = begin_fill(i); \
    stats $data index i - 1 using (missing(2) ? 0 : (fill(i), 0)) nooutput; \
    most = larger(most, heat_most(0)); \
}
time_of(i, u) = (first_time[i] + (u + 0.5) * cell_length[i] * wide(i)) / time_unit
set key off noautotitle
# include: panels
do for [i = 1:count] { \
    n = 0; \
    # include: panel
    set autoscale; \
    unused = begin_fill(i); \
    stats $data index i - 1 using (missing(2) ? 0 : (n = n + 1, fill(i), 0)) nooutput; \
    set xrange [begin / time_unit:end / time_unit]; \
    set yrange [lowest - 1:high]; \
    set cbrange [log(2):heat_range(most)]; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (small) { \
        eval before_plot; \
        plot $data index i - 1 using (missing(2) ? NaN : time_of(i, column(column_field) / wide(i))):(larger(column(row_field), lowest) - 0.5) \
            with points pointtype 0; \
    } else { \
        set datafile separator whitespace; \
        eval before_plot; \
        plot sample [u=0:heat_columns - 1:1] [v=0:heat_rows - 1:1] '++' \
            using (time_of(i, $1)):(lowest - 1 + ($2 + 0.5) * high_of(i)):(heat_colour($1, $2)) with image notitle; \
        set datafile separator "\t"; \
    }; \
}
# include: end
