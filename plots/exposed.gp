# Data that a power cut would have lost, over time: largest and mean number of bytes of each
# interval; below, names that were not on disk. One panel per result, on common scales.
# Columns: 1 time (seconds), bytes (the mean), most, files, names.
# include: common
# include: axes
mean = field("bytes")
most = field("most")
amount(c) = missing(c) ? 0 : column(c)
seen(x) = (begin = smaller(begin, $1), end = larger(end, $1), largest = larger(largest, amount(most)))
begin = 1e300; end = -1e300; largest = 0.0
stats $data using (absent(1) ? 1 : (seen(0), 1)) nooutput
if (largest <= 0) { exit status nothing }
if (begin > 0 && begin < 0.2 * end) { begin = 0.0 }
width = end > begin ? 0 : 1
# include: intervals
unused = sum [s = 1:results] (width = larger(width, length_of[s]), 0)
end = end + width
# include: since
unit = unit_of_bytes(largest)
unit_name = name_of_bytes(unit)
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    if (compact) { set rmargin 5 }; \
    set key @key_place Left reverse width (measured ? 0 : 2) samplen key_sample; \
} else { set key below }
set ylabel fit_y(unit_name." at risk")
set xrange [begin / time_unit:end / time_unit]
set yrange [0:largest / unit * 1.05]
# include: panels
do for [i = 1:count] { \
    # include: panel
    set title title_of_result(i, small ? 60 : 80); \
    eval before_plot; \
    plot $data index i - 1 using ($1 / time_unit):(amount(most) / unit) with steps linewidth 1.3 \
            linecolor rgb "#D55E00" title (i == 1 ? "most" : ""), \
        $data index i - 1 using ($1 / time_unit):(amount(mean) / unit) with steps linewidth 1.3 \
            dashtype 2 linecolor rgb "#0072B2" title (i == 1 ? "mean" : ""), \
        $data index i - 1 using (last_begin(i)):(amount(most) / unit):(length_of[i] / time_unit):(0) \
            with vectors nohead linewidth 1.3 linecolor rgb "#D55E00" notitle, \
        $data index i - 1 using (last_begin(i)):(amount(mean) / unit):(length_of[i] / time_unit):(0) \
            with vectors nohead linewidth 1.3 dashtype 2 linecolor rgb "#0072B2" notitle; \
}
# include: end
