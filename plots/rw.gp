# Reads and writes: for each class its share of the I/Os and of the bytes. One panel a result.
# Columns: 1 class, 3 count_share, 5 bytes_share (fractions).
# include: common
# include: axes

set ylabel "share (%)"
set xtics scale 0
set key outside right top samplen 2
if (!small) { \
    set key reverse Left; \
    set grid ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}

set xrange [-0.6:4.6]
set yrange [0:110]
set ytics 20
panel_title(i) = title_of_result(i, small ? 60 : 80)
percent(share) = columns == 1 ? sprintf("%.1f", 100 * share) : ""
# include: panels
if (panels && columns > 1) { set key font ",9" spacing 0.8 samplen 1 }
do for [i = 1:count] { \
    set title panel_title(i); \
    plot $data index i - 1 \
            using 0:3:($0 - 0.38):($0):(0):(100 * $3):xtic(1) with boxxyerror \
            linecolor rgb "#0072B2" fillstyle solid 1 border linecolor rgb "black" title "I/Os", \
        $data index i - 1 using 0:5:($0):($0 + 0.38):(0):(100 * $5) with boxxyerror \
            linecolor rgb "#E69F00" fillstyle pattern 4 border linecolor rgb "black" \
            title "bytes", \
        $data index i - 1 using ($0 - 0.19):(100 * $3):(percent($3)) \
            with labels offset 0, 0.6 notitle, \
        $data index i - 1 using ($0 + 0.19):(100 * $5):(percent($5)) \
            with labels offset 0, 0.6 notitle; \
}
if (panels) { unset multiplot }
