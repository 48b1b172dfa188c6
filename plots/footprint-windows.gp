# Distinct pages over time, by window: all as boxes; written pages and pages never used before as
# lines. One panel per result, on common scales.
# Columns: 1 window (seconds or counter units), distinct, new, written_distinct, wss_bytes.
# include: common
# include: axes
distinct = field("distinct")
kinds = "written_distinct new"
bytes_of(c) = column(distinct) > 0 ? column(field("wss_bytes")) / column(distinct) * column(c) : 0
begin = 1e300; end = -1e300; high = 0.0; width = 1e300; last = 1e300
# Windows are adjacent; a result may have only one.
note(x) = (width = $1 > last ? smaller(width, $1 - last) : width, last = $1, begin = smaller(begin, $1), end = larger(end, $1), \
    high = larger(high, column(field("wss_bytes"))))
stats $data using (absent(1) ? 1 : (note(0), 1)) nooutput
if (high <= 0) { exit status nothing }
width = width < 1e300 ? width : end > begin ? end - begin : 1
end = end + width
# include: since
unit = unit_of_bytes(high)
set ylabel fit_y((count > 2 ? "pages (" : "pages used in a window (").name_of_bytes(unit).")")
set xrange [begin / time_unit:end / time_unit]
set yrange [0:1.05 * high / unit]
if (count > 2) { set ytics step(high / unit, 4) }
left_of(x) = absent(1) ? NaN : $1 / time_unit
right_of(x) = absent(1) ? NaN : ($1 + width) / time_unit
height(c) = absent(1) ? NaN : bytes_of(c) / unit
set key @key_place Left reverse samplen key_sample
if (!small) { set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5 }
# include: panels
if (crowded) { set key font little_font spacing 0.95 }
do for [i = 1:count] { \
    # include: panel
    set title title_of_result(i, small ? 50 : 70); \
    eval before_plot; \
    plot $data index i - 1 using (0):(0):(left_of(0)):(right_of(0)):(0):(height(distinct)) \
            with boxxyerror linecolor rgb "#D0D0D0" fillstyle solid 1 noborder title "all", \
        for [k = 1:2] $data index i - 1 using (left_of(0)):(height(field(word(kinds, k)))): \
            (right_of(0) - left_of(0)):(0) with vectors nohead linewidth 2 \
            linecolor rgb word("#D55E00 #0072B2", k) dashtype k title word("written new", k); \
}
# include: end
