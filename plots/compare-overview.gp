# Comparison: the largest changes. One line each: b / a with its confidence interval, if known;
# below, distances of distributions. Filled marks are changes.
# Columns: report, item, metric, a (missing of distances), change, low, high, verdict.
# include: common
# include: sides
own_x = 1
own_y = 1
# include: axes
alone = 0
item = field("item")
metric = field("metric")
of_a = field("a")
change = field("change")
low = field("low")
high = field("high")
verdict = field("verdict")
panels = 0
rows_room = small ? larger(4, lines_in(1) - 9) : larger(4, int((lines_in(1 - foot) / points_drawn - 8.5) / 0.84 / names_font))
drawn = smaller(rows, rows_room)

# Rows of ratios and rows of distances are counted separately.
array place[rows]
is_ratio(x) = valid(of_a)
# Smallest ratio with six decimals.
change_of(x) = is_ratio(0) ? larger(column(change), 1e-6) : column(change)
has_interval(x) = is_ratio(0) && valid(low) && valid(high) && column(low) > 0
label_width = name_room(names_font)
row_name(x) = shorten(strcol(2).(strcol(item) eq "" ? "" : " ".strcol(item)).(strcol(metric) eq "value" ? "" : " ".strcol(metric)), label_width)
note(value) = (least = smaller(least, value), most = larger(most, value))
# Number of rows per mark.
array marked[4]
do for [m = 1:4] { marked[m] = 0 }
cell(part, filled) = 2 * part - 1 + filled
is_change(x) = strcol(verdict) eq "more" || strcol(verdict) eq "less"
count_mark(m) = (marked[m] = marked[m] + 1)
note_ratio(x) = (place[int($0) + 1] = ratios, ratios = ratios + 1, note(change_of(0)), \
    has_interval(0) ? (note(column(low)), note(column(high))) : 0)
note_distance(x) = (place[int($0) + 1] = distances, distances = distances + 1, \
    far = larger(far, column(change)))
note_row(x) = (note_name(row_name(0)."  "), \
    count_mark(cell(is_ratio(0) ? 1 : 2, is_change(0))), is_ratio(0) ? note_ratio(0) : note_distance(0))
ratios = 0; distances = 0; least = 1e300; most = 0.0; far = 0.0
stats $data every ::0::drawn - 1 using (note_row(0), 1) nooutput
if (ratios + distances == 0) { exit status nothing }
most_tics = small || narrow ? 3 : 7
# include: ratios
# include: foot

is_of(part) = is_ratio(0) == (part == 1)
across(part, value) = is_of(part) ? (part == 1 ? log2(value) : value) : nowhere
end_of(part, c) = across(part, part == 1 && has_interval(0) ? column(c) : change_of(0))
down(part) = is_of(part) ? place[int($0) + 1] : nowhere
is_marked(part, filled) = is_of(part) && is_change(0) == filled
colour(x) = !is_change(0) ? 0x606060 : strcol(verdict) eq "more" ? 0xD55E00 : 0x0072B2
words_of(part) = (part == 1 ? ratio_words(change_of(0)) : \
    sprintf("%.3f", column(change)))."  ".strcol(verdict)
lines_of(part) = part == 1 ? ratios : distances
weight(part) = lines_of(part) > 0 ? lines_of(part) + 3.5 : 0.0
part_heading = small ? 0 : 2.4 * letter / term_height
part_height(part) = (1 - foot - part_heading) * weight(part) / (weight(1) + weight(2))
mark(part, filled) = int(word(part == 1 ? "6 7" : "12 13", filled + 1))
set ytics scale 0
own_y = 1
set y2tics () scale 0
set key off
set errorbars 0
if (!small) { \
    set multiplot title title_of_all(0).some_without_name(drawn, rows, "rows") \
        font sized(names_font); \
    set grid xtics ytics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set rmargin 16 * names_font; \
}
do for [part = 1:2] { \
    if (lines_of(part) > 0) { \
        if (!small) { \
            set size 1, part_height(part); \
            set origin 0, foot + (part == 1 ? part_height(2) : 0.0); \
        }; \
        if (small) { set title title_of_all(60) }; \
        set yrange [lines_of(part) - 0.5:-0.5]; \
        set y2range [lines_of(part) - 0.5:-0.5]; \
        unset ytics; set ytics () scale 0 font tic_font; \
        unset y2tics; set y2tics () scale 0 font tic_font; \
        unset xtics; set xtics () nomirror font tic_font; \
        unset arrow 1; \
        if (part == 1) { \
            set xrange [begin:end]; \
            set xlabel fit_x("b / a, log scale"); \
            set arrow 1 from 0, graph 0 to 0, graph 1 nohead linecolor rgb "black" linewidth 1; \
            do for [k = 0:int(ticks) - 1] { set xtics add (tick_words(tick(k)) log2(tick(k))) }; \
        }; \
        if (part == 2) { \
            set xrange [0:1.1 * larger(far, 0.01)]; \
            set xlabel fit_x("distance of the distributions of a and b"); \
            set xtics autofreq; \
            if (small || measured) { set xtics step(1.1 * larger(far, 0.01), small ? 5 : 3) }; \
        }; \
        eval before_plot; \
        plot $data every ::0::drawn - 1 using (across(part, change_of(0))):(down(part)): \
                (end_of(part, low)):(end_of(part, high)):(colour(0)):ytic(is_of(part) ? row_name(0) : ""):y2tic(is_of(part) ? words_of(part) : "") \
                with xerrorbars linecolor rgb variable linewidth 2 pointtype 0, \
            for [filled = 0:1] for [k = 1:smaller(marked[cell(part, filled)], 1)] $data every ::0::drawn - 1 \
                using (is_marked(part, filled) ? across(part, change_of(0)) : nowhere):(down(part)):(colour(0)) \
                with points linecolor rgb variable pointtype mark(part, filled) \
                pointsize (small ? 1 : 1.2) linewidth 2; \
        unset label 99; \
    }; \
}
if (!small) { unset multiplot }
# include: remarks
