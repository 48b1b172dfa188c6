# Sequential and random I/Os: one bar of 100 % for reads and one for writes, with their numbers.
# Results are below one another. Random ones are striped.
# Columns: 1 class (read, write), 2 sequential, 3 random (counts).
# include: common
eval all_in_one
# include: axes

# More bars would be unreadable.
most = small ? 4 : measured ? larger(1, smaller(8, int((lines_in(1 - foot) - 4.5) / 2.1))) : 8
count = results > most ? most : results

set title title_of_all_and(small ? 60 : 80, some_panels(0))
what = "share of the ".(strstrt(report_title, "transfers") > 0 ? "transfers" : "I/Os")." (%)"
set xlabel small || compact ? what : what."; beside the bars: the sequential ones of all"
set ytics scale 0
own_y = 1
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

bar_letters = name_room(measured ? 1.5 : 1)
# No bar without I/Os. A result without rows has one row of NaN.
all(column) = absent(2) ? 0 : $2 + $3
part(number) = all(2) > 0 ? 100.0 * number / all(2) : NaN
row(x) = 2.4 * column(-2) + $0
name(i) = (results > 1 ? cut(result_name[i], small ? 14 : bar_letters).", " : "") \
    .(absent(2) ? "no data" : strcol(1))
amount(x) = all(2) == 0 ? "none" : \
    sprintf(small ? "%.0f%% of %.0f" : "%.1f %% of %.0f", part($2), $2 + $3)
all_count = 0.0
stats $data using (all_count = all_count + all(2), 1) nooutput
if (all_count <= 0) { exit status nothing }
do for [i = 1:count] { unused = note_name(results > 1 ? cut(result_name[i], bar_letters).", write" : "write") }
# include: foot
amount_wide = 0.0
do for [i = 1:measured ? count : 0] { \
    stats $data index i - 1 using (amount_wide = larger(amount_wide, text_width(amount(0)) + 1.5), 1) nooutput; \
}
own_x = 1
set xrange [0:small ? 150 : measured && pass == 2 ? smaller(300, 101 * x_room[1] / larger(2, x_room[1] - amount_wide)) : 130]
set xtics 0, measured ? 100 : 20, 100
set yrange [2.4 * count - 0.8:-0.6]
eval before_plot
plot $data index 0:count - 1 \
        using (0):(row(0)):(part($2)):(part(all(2))):(row(0) - half):(row(0) + half) \
        with boxxyerror linecolor rgb "#FBEBC8" fillstyle solid 1 notitle, \
    $data index 0:count - 1 \
        using (0):(row(0)):(0):(part($2)):(row(0) - half):(row(0) + half) \
        :ytic(name(column(-2) + 1)) with boxxyerror \
        linecolor rgb "#0072B2" fillstyle solid 1 border linecolor rgb "black" title "sequential", \
    $data index 0:count - 1 \
        using (0):(row(0)):(part($2)):(part(all(2))):(row(0) - half):(row(0) + half) \
        with boxxyerror linecolor rgb "#E69F00" fillstyle transparent pattern 4 \
        border linecolor rgb "black" title "random", \
    $data index 0:count - 1 using (all(2) > 0 ? 101 : 1):(row(0)):(amount(0)) \
        with labels left notitle
# include: end
