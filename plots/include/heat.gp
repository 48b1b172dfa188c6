# Image of counts on a grid: darker for larger counts, on a logarithmic scale; empty cells are
# blank. The plot calls heat_size() with the numbers of columns and rows, and heat_add() with cell
# indices from 0 on. It draws with heat_colour() in `plot sample [u=0:heat_columns - 1:1]
# [v=0:heat_rows - 1:1] '++'`, for which gnuplot 5.4 needs `set datafile separator whitespace`.
array heat[153000]
heat_clear(n) = (unused = sum [k = 1:n] (heat[k] = 0))
heat_size(columns, rows) = ((heat_columns = larger(2, int(columns))), \
    (heat_rows = larger(2, int(rows))), heat_clear(heat_columns * heat_rows))
heat_place(column, row) = (column < 0 ? 0 : column >= heat_columns ? heat_columns - 1 : column) + \
    heat_columns * (row < 0 ? 0 : row >= heat_rows ? heat_rows - 1 : row) + 1
heat_put(place, number) = (heat[place] = heat[place] + number)
heat_add(column, row, number) = heat_put(heat_place(int(column), int(row)), number)
heat_most(x) = (most_heat = 0, unused = sum [k = 1:heat_columns * heat_rows] \
    (most_heat = larger(most_heat, heat[k])), most_heat)
heat_of(column, row) = heat[heat_place(int(column), int(row))]
heat_colour(column, row) = heat_of(column, row) > 0 ? log(1 + heat_of(column, row)) : NaN
set palette defined (0 "#C6DBEF", 0.35 "#6BAED6", 0.65 "#2171B5", 1 "#08306B")

# Colour key with counts: 1, 2, 5, 10, 20, 50, 100, 1000 …
heat_stride = panels && measured ? 4 : 1
set cbtics scale 0.5 ("1" log(2))
if (heat_stride == 1) { set cbtics add ("2" log(3), "5" log(6), "20" log(21), "50" log(51)) }
do for [power = heat_stride:18:heat_stride] { set cbtics add (sprintf(power < 5 ? "%.0f" : "%.0e", 10.0**power) log(1 + 10.0**power)) }
heat_range(most) = log(1 + larger(most, 2))

# Numbers of columns and rows that fit a panel: smaller cells would be invisible.
heat_wide = larger(2, smaller(400, int(0.35 * panel_width(0) * term_width)))
heat_high = larger(2, smaller(200, int(0.3 * panel_height(0) * term_height)))

# With more events, a picture of marks is less useful than one of counts.
is_dense(events) = !small && events > 20000
