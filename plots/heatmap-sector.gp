# Start sectors of I/Os over time: one cell per interval and range of sectors, darker for more I/Os.
# One panel per result, on common scales and colours.
# Columns: 1 time (seconds or counter units), sector, count, column, row, length (of an interval, as time),
# sectors (of a row).
# include: common
# include: axes
# include: heat
length = field("length")
column_field = field("column")
row_field = field("row")
amount = field("count")
sectors = field("sectors")

if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}
set cblabel "I/Os" font little_font
set cbtics font little_font

# Each result has its own grid, possibly with other intervals; the axes are common.
array first_time[count]
array cell_length[count]
array last_column[count]
array row_height[count]
array last_row[count]
note_grid(i) = ((cell_length[i] = column(length)), \
    (first_time[i] = $1 - column(column_field) * column(length)), \
    (last_column[i] = larger(last_column[i], column(column_field))))
note_row(i) = ((row_height[i] = column(sectors)), (last_row[i] = larger(last_row[i], column(row_field))), \
    high = larger(high, (column(row_field) + 1) * column(sectors)))
note(i) = (all = all + 1, note_grid(i), \
    begin = smaller(begin, $1), end = larger(end, $1 + column(length)), note_row(i))
all = 0; begin = 1e300; end = -1e300; high = 0
do for [i = 1:count] { \
    cell_length[i] = 1; first_time[i] = 0; last_column[i] = 0; row_height[i] = 1; last_row[i] = 0; \
    stats $data index i - 1 using (missing(2) ? 0 : (note(i), 0)) nooutput; \
}
if (all == 0) { exit status nothing }
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
# include: since
unit = high >= 2e6 ? 1e6 : 1
set ylabel fit_y(unit > 1 ? "sector (millions)" : "sector")
panel_title(i) = title_of_result(i, small ? 60 : 80)

# Merges cells so that none is too small to be seen.
wide(i) = larger(1, ceil((end - begin) / heat_wide / cell_length[i]))
high_of(i) = larger(1, ceil(1.0 * high / row_height[i] / heat_high))
begin_fill(i) = heat_size(ceil((last_column[i] + 1.0) / wide(i)), ceil((last_row[i] + 1.0) / high_of(i)))
fill(i) = heat_add(column(column_field) / wide(i), (column(row_field)) / high_of(i), column(amount))
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
    set yrange [0:high / unit]; \
    set cbrange [log(2):heat_range(most)]; \
    set title panel_title(i); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    if (small) { \
        eval before_plot; \
        plot $data index i - 1 using (missing(2) ? NaN : time_of(i, column(column_field) / wide(i))):($2 / unit) \
            with points pointtype 0; \
    } else { \
        set datafile separator whitespace; \
        eval before_plot; \
        plot sample [u=0:heat_columns - 1:1] [v=0:heat_rows - 1:1] '++' \
            using (time_of(i, $1)):(($2 + 0.5) * row_height[i] * high_of(i) / unit):(heat_colour($1, $2)) with image notitle; \
        set datafile separator "\t"; \
    }; \
}
# include: end
