# Comparison: share of the events or of the time by row. A ring shows the share in a, a dot the
# share in b, joined by a line. Rows of only one side are diamonds, hollow for a (gone), filled for
# b (new). Names are on the left, ratios of the shares on the right.
# Columns: those of the key, a or calls_a behind them, share_a, share_b (fractions), status.
# include: common
# include: sides
# include: axes
share_a = field("share_a")
share_b = field("share_b")
status = field("status")
keys = larger(field("a"), field("calls_a")) - 1
rows_room = small ? larger(4, lines_in(1) - 9) : larger(3, int((lines_in(1 - foot) - 7) / 0.95 / names_font))
drawn = smaller(rows, rows_room)

label_width = name_room(names_font)
key_text = ""
key(x) = (key_text = strcol(1), unused = sum [k = 2:keys] (key_text = key_text." ".strcol(k), 0), key_text)
row_name(x) = shorten(key(0) eq "" ? "(none)" : key(0), label_width)
percent(c) = valid(c) ? 100 * column(c) : 0
is_in(which) = strcol(status) eq which
# Marks: a and b if both have the row, gone, new; and number of rows with each.
array marked[4]
mark(m) = int(word("6 7 12 13", m))
mark_colour(m) = side_colour(m % 2 == 1 ? 1 : 2)
mark_size(m) = small ? 1 : m == 2 ? 1.2 : 1.5
mark_title(m) = m < 3 ? (narrow ? side_letter(m) : side_title(m)) : m == 3 ? "gone" : "new"
has_mark(m) = is_in(word("both both a b", m))
place(m) = has_mark(m) ? percent(m % 2 == 1 ? share_a : share_b) : nowhere
count_mark(m) = has_mark(m) ? (marked[m] = marked[m] + 1) : 0
change_words(x) = is_in("a") ? "gone" : is_in("b") ? "new" : \
    percent(share_a) > 0 ? ratio_words(percent(share_b) / percent(share_a)) : ""
note(x) = (n = n + 1, n > drawn ? 0 : (sum [m = 1:4] (count_mark(m), 0), note_name(row_name(0)."  "), \
    high = larger(high, larger(percent(share_a), percent(share_b)))))
n = 0
high = 0.0
do for [m = 1:4] { marked[m] = 0 }
stats $data using (note(0), 1) nooutput
if (high <= 0) { exit status nothing }
# include: foot

# Long names move the axes to the right; the title stays centred.
title = whole_title(line_room(names_font) - 11).some_without_name(drawn, rows, "rows")
set title small ? title : " "
if (!small) { set label 93 title at screen 0.5, screen 1 - 1.8 * letter / term_height center front font sized(names_font) }
set xlabel fit_x(strstrt(column_names, "calls_a") > 0 ? "share of the time (%)" : "share of all (%)")
set xrange [0:1.05 * high]
set xtics step(1.05 * high, small || narrow ? 4 : 8)
set yrange [larger(drawn, 4) - 0.5:-1.4]
set y2range [larger(drawn, 4) - 0.5:-1.4]
set ytics scale 0
own_y = 1
set y2tics ("b / a" -1) scale 0 font tic_font
set key @key_below Left reverse samplen 1 maxrows 1
if (!small) { \
    set grid xtics ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}
eval before_plot
plot $data every ::0::drawn - 1 \
        using (percent(share_a)):0:(percent(share_b) - percent(share_a)):(0): \
        ytic(row_name(0)):y2tic(change_words(0)) \
        with vectors nohead linecolor rgb "#606060" linewidth 2 notitle, \
    for [m = 1:4] for [k = 1:smaller(marked[m], 1)] $data every ::0::drawn - 1 using (place(m)):0 \
        with points linecolor rgb mark_colour(m) pointtype mark(m) pointsize mark_size(m) linewidth 2 notitle, \
    for [m = 1:4] for [k = 1:m < 3 || marked[m] > 0 ? 1 : 0] keyentry with points \
        linecolor rgb mark_colour(m) pointtype mark(m) pointsize mark_size(m) linewidth 2 title mark_title(m)
# include: end
