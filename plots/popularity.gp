# Popularity. With few rows (--top), one bar each, with name, share and cumulative share (thesis,
# figures 4.1b and 4.2b); rows marked by --mark are orange, with a star. With more rows, or with
# --cdf, the cumulative distribution by rank (figures 4.1a and 4.2a), which shows how few make up
# most. One curve per result, with its own colour, dashes and marks; the first rows are named.
# Columns: 1 rank, 2 name, share, cumulative (fractions), mark.
# include: common
# include: axes
share = field("share")
cumulative = field("cumulative")
mark = field("mark")
is_marked(x) = mark > 0 ? strcol(mark) eq "*" : 0

part_of_font = crowded ? little : 1
text_font = sized(part_of_font)
small_font = sized(smaller(part_of_font, 0.8))
label_width = name_room(part_of_font)
bar_name(x) = absent(1) ? "" : (is_marked(0) ? "* " : "").shorten(strcol(2), label_width)
names_font = part_of_font

# Number of rows of each result.
note(value) = (n = n + 1, n <= shown ? note_name(bar_name(0)) : 0, high = n <= shown ? larger(high, value) : high, \
    marked = marked + is_marked(0))
array n_of[results]
most_rows = 0; high = 0.0; marked = 0
do for [i = 1:results] { \
    n = 0; \
    stats $data index i - 1 using (absent(1) ? 1 : (note(column(share)), 1)) nooutput; \
    n_of[i] = n; \
    most_rows = larger(most_rows, n); \
}
if (most_rows == 0) { exit status nothing }
bars = most_rows <= shown && !exists("curve_chosen")

# --- bars
comment(x) = absent(1) ? "" : \
    sprintf("%.2f %%, together %.2f %%", 100 * column(share), 100 * column(cumulative))
# The axis extends beyond the longest bar so that its comment fits.
comment_part(x) = 26 * (in_page ? 1 : 0.8) * part_of_font * 0.72 * points_drawn * letter / term_width
bars_part(x) = panel_width(0) - names_part(0) - 0.03
axis_part(x) = small ? 1.6 : larger(1.2, smaller(4, \
    comment_part(0) < bars_part(0) ? 1 / (1 - comment_part(0) / bars_part(0)) : 4))
bar_to(wanted) = !absent(1) && is_marked(0) == wanted ? 100 * column(share) : 0
panel_title(i) = title_of_result(i, small ? 50 : 70)

# --- curves
# Names of the most popular rows, as many as fit, above the key.
most_names = small || results > 1 ? 0 : smaller(12, larger(0, lines_in(1 - foot) - 10))
array first_name[most_names + 1]
rows_read = 0
add_name(x) = (rows_read = rows_read + 1, rows_read > most_names ? 0 : (first_name[rows_read] = \
    sprintf("%.0f  ", $1).(is_marked(0) ? "* " : "").shorten(strcol(2), letters_in(0.35, 0.8)) \
    .sprintf("  %.2f %%", 100 * column(share))))
curve_name(i) = results > 1 ? key_title(i, results, short_name(i, key_room(results, small ? 24 : 40))) : ""

if (bars) { \
    set tics font text_font; \
    own_y = 1; set ytics scale 0; \
    set xlabel "share (%)" font text_font; \
    set xrange [0:100 * axis_part(0) * high]; \
    set xtics step(100 * axis_part(0) * high, columns == 1 && !small ? 8 : 5); \
    set key @key_below samplen key_sample font small_font; \
    if (!small) { set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }; \
}
if (!bars) { over = 1; eval all_in_one }
# include: multiplot
do for [i = 1:bars ? count : 0] { \
    # include: panel
    set title panel_title(i) font text_font; \
    set label 1 (n_of[i] > 0 ? "" : "no data") at graph 0.5, graph 0.5 center; \
    set yrange [larger(6, most_rows) - 0.5:-0.5]; \
    eval before_plot; \
    plot $data index i - 1 using (0):0:(0):(bar_to(0)):($0 - half):($0 + half):ytic(bar_name(0)) \
            with boxxyerror linecolor rgb "#0072B2" fillstyle solid 1 \
            border linecolor rgb "black" notitle, \
        $data index i - 1 using (0):0:(0):(bar_to(1)):($0 - half):($0 + half) \
            with boxxyerror linecolor rgb "#E69F00" fillstyle solid 1 border linecolor rgb "black" \
            title marked > 0 ? "* popular in the marked trace, too" : "", \
        $data index i - 1 using (absent(1) ? 0 : 100 * column(share)):0:(comment(0)) \
            with labels left offset 1, 0 font small_font notitle; \
}
if (!bars) { \
    set size 1, 1 - foot; \
    set origin 0, foot; \
    if (foot > 0) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
    set title title_of_all(small ? 60 : 80); \
    set xlabel fit_x("rank, the most popular first"); \
    set ylabel fit_y("cumulative share (%)"); \
    if (results > 5) { set key @key_place Left reverse samplen key_sample } else { set key bottom right samplen key_sample }; \
    if (!small) { \
        set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
        set rmargin 4; \
    }; \
    stats $data index 0 using (absent(1) ? 1 : (add_name(0), 1)) nooutput; \
    named = smaller(rows_read, most_names); \
    do for [k = 1:named] { \
        set label k + 1 first_name[k] at graph 0.98, graph 0.03 right font small_font \
            offset 0, 0.75 * (named - k) + (marked > 0 ? 2 : 0.5); \
    }; \
    set xrange [0:most_rows > 1 ? most_rows : 2]; \
    set yrange [0:100]; \
    set ytics 20; \
    eval before_plot; \
    plot for [i = 1:results] $data index i - 1 using 1:(100 * column(cumulative)) with linespoints \
            linecolor rgb palette_colour(i) linewidth 2 dashtype palette_dashes(i) \
            pointtype palette_mark(i) pointsize 1 pointnumber (small ? 8 : 20) \
            title curve_name(i), \
        for [i = 1:results] $data index i - 1 \
            using (absent(1) || !is_marked(0) ? NaN : $1):(100 * column(cumulative)) with points \
            pointtype 6 pointsize 1.5 linewidth 2 linecolor rgb "#D55E00" \
            title i == 1 && marked > 0 ? "popular in the marked trace, too" : ""; \
}
# include: end
