# CPU load and memory by process, one below the other: one bar per process, dark for the mean of the
# samples, light for the maximum. Results follow one another.
# Columns: 1 process, 2 pid, 4 cpu_mean, 5 cpu_max (fractions of a processor), 6 memory_mean,
# 7 memory_max (bytes), trace (where there are several).
# include: common
eval all_in_one
# include: axes
alone = 0
trace_column = field("trace")
shown = small ? shown : larger(6, int((lines_in(1 - foot) - 12) / 2))
label_width = name_room(1)
several = trace_column > 0 || results > 1
amount(c) = missing(c) ? -1 : column(c)
label(trace) = several ? shorten(strcol(1), label_width - 16).", ".shorten(trace, 14) : \
    shorten(strcol(1), label_width)

# The rows with the largest mean load of all results, in their order: those above `least`, and of_least
# that have this load.
array kept[shown]
do for [k = 1:shown] { kept[k] = -1.0 }
least_at = 1
find_least(x) = sum [k = 1:shown] (kept[k] < kept[least_at] ? (least_at = k) : 0)
keep_load(load) = load > kept[least_at] ? (kept[least_at] = load, find_least(0)) : 0
load_of(x) = missing(4) ? 0.0 : column(4)
n = 0
stats $data using (missing(3) ? 1 : (n = n + 1, keep_load(load_of(0)), 1)) nooutput
least = kept[least_at]
of_least = sum [k = 1:shown] (kept[k] == least)
is_drawn(load) = load > least || (load == least && of_least > 0 ? (of_least = of_least - 1, 1) : 0)

# Names of the drawn rows, mean and maximum of both.
array name[shown]
array figure[4 * shown]
keep(r) = ((name[r] = label(trace_column > 0 ? strcol(trace_column) : result_name[column(-2) + 1])), \
    note_name(name[r]), unused = sum [c = 1:4] ((figure[4 * r - 4 + c] = amount(3 + c)), 0))
bars = 0
stats $data using (missing(3) ? 1 : (is_drawn(load_of(0)) ? (bars = bars + 1, keep(bars)) : 0, 1)) nooutput
load = 0.0
memory = 0.0
do for [r = 1:bars] { \
    load = larger(load, figure[4 * r - 2]); \
    memory = larger(memory, figure[4 * r]); \
}
if (load <= 0 && memory <= 0) { exit status nothing }
unit = unit_of_bytes(memory)
unit_name = name_of_bytes(unit)
scaled(p, amount) = p == 1 ? 100 * amount : amount / unit
mean(p, r) = larger(0, scaled(p, figure[4 * r + 2 * p - 5]))
most(p, r) = larger(0, scaled(p, figure[4 * r + 2 * p - 4]))
comment(p, r) = figure[4 * r + 2 * p - 5] < 0 ? "unknown" : \
    sprintf("%.4g, at most %.4g", mean(p, r), most(p, r))
set print $bar
do for [r = 1:bars] { print r }
set print

text_font = sized(1)
set tics font text_font
set ytics scale 0
own_y = 1
set key @key_place samplen 2
if (!small) { \
    set key reverse Left; \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
}
set yrange [(bars < 3 ? 3 : bars) + 0.5:0.5]
if (!small) { set multiplot title title_of_all_and(70, some_shown(1, shown, n)) }
do for [p = 1:2] { \
    high = p == 1 ? 100 * load : memory / unit; \
    if (!small) { \
        set size 1, (1 - foot - 0.06) / 2; \
        set origin 0, foot + (2 - p) * (1 - foot - 0.06) / 2; \
        set lmargin at screen names_part(0); \
        unset label 99; \
    }; \
    if (foot > 0 && p == 1) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
    if (small) { set title title_of_all_and(50, some_shown(1, shown, n)) }; \
    set xlabel fit_x(p == 1 ? "CPU load (% of one processor)" : "memory (".unit_name.")"); \
    wide = 2.0; \
    do for [r = 1:bars] { wide = larger(wide, text_width(comment(p, r)) + 2) }; \
    reach = measured && pass == 2 ? smaller(5, x_room[next_plot(0)] / larger(1, x_room[next_plot(0)] - wide)) : 1.5; \
    set xrange [0:high > 0 ? reach * high : 1]; \
    own_x = measured && high > 0; \
    if (own_x) { set xtics step(reach * high, smaller(4, tics_wide(0, reach * high, x_room[next_plot(0)]))) }; \
    eval before_plot; \
    plot $bar using (0):1:(0):(most(p, int($1))):($1 - half):($1 + half) with boxxyerror \
            linecolor rgb "#C3DFF0" fillstyle solid 1 border linecolor rgb "black" title "most", \
        $bar using (0):1:(0):(mean(p, int($1))):($1 - half):($1 + half):ytic(name[int($1)]) \
            with boxxyerror linecolor rgb "#0072B2" fillstyle solid 1 \
            border linecolor rgb "black" title "mean", \
        $bar using (most(p, int($1))):1:(comment(p, int($1))) with labels left offset 1, 0 notitle; \
}
if (!small) { unset multiplot }
# include: remarks
