# Bytes read and written by file, type or process: one bar each, stacked. One panel per result, on a
# common scale. Written bytes are striped. Rows without bytes are not drawn.
# Columns: 1 what it is by, bytes_read, bytes_written, bytes, share (a fraction).
# include: common
# include: axes
read_bytes = field("bytes_read")
all_bytes = field("bytes")
share = field("share")

names_font = crowded ? little : 1
label_width = name_room(names_font)
bar_name(x) = missing(all_bytes) ? "" : strcol(1) eq "" ? "(none)" : shorten(strcol(1), label_width)

set ytics scale 0
own_y = 1
if (measured) { set key @key_place samplen 1 } else { set key @key_below samplen 2 }
if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }

is_row(x) = missing(all_bytes) ? 0 : column(all_bytes) > 0
note(number) = (n = n + 1, n <= shown ? note_name(bar_name(0)) : 0, high = larger(high, number))
array n_of[count]
high = 0.0
do for [i = 1:count] { \
    n = 0; \
    stats $data index i - 1 using (is_row(0) ? (note(column(all_bytes)), 1) : 1) nooutput; \
    n_of[i] = n; \
}
if (high <= 0) { exit status nothing }
unit = high >= 2.0**31 ? 2.0**30 : high >= 2.0**21 ? 2.0**20 : high >= 2.0**11 ? 2.0**10 : 1
unit_name = unit == 1 ? "bytes" : word("KiB MiB GiB", int(log(unit) / log(1024) + 0.5))
set xlabel fit_x("bytes read and written".(unit == 1 ? "" : " (".unit_name.")"))
set xrange [0:(columns == 1 && !small ? 1.25 : 1.5) * high / unit]
if (small) { set xtics step(1.5 * high / unit, 4) }
comment(x) = !is_row(0) ? "" : sprintf("%.1f %%", 100 * column(share))
end_of(x) = is_row(0) ? column(all_bytes) / unit : 0
part_of(c) = is_row(0) ? column(c) / unit : 0
# include: panels
do for [i = 1:count] { \
    n = n_of[i]; \
    # include: panel
    set title title_of_rows(i, small ? 50 : 70, n); \
    set label 1 (n > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set yrange [larger(3, smaller(n, shown)) - 0.5:-0.5]; \
    eval before_plot; \
    plot $data index i - 1 every ::0::larger(0, smaller(n, shown) - 1) \
            using (0):0:(0):(part_of(read_bytes)):($0 - half):($0 + half):ytic(bar_name(0)) \
            with boxxyerror linecolor rgb "#0072B2" fillstyle solid 1 border linecolor rgb "black" \
            title "read", \
        $data index i - 1 every ::0::larger(0, smaller(n, shown) - 1) \
            using (0):0:(part_of(read_bytes)):(end_of(0)):($0 - half):($0 + half) \
            with boxxyerror linecolor rgb "#E69F00" fillstyle transparent pattern 4 \
            border linecolor rgb "black" title "written", \
        $data index i - 1 every ::0::larger(0, smaller(n, shown) - 1) \
            using (end_of(0)):0:(comment(0)) with labels left offset 1, 0 notitle; \
}
# include: end
