# CPU load and memory over time, one below the other: one line per process, for the seven with the
# highest load in a sample.
# Columns: 1 time (seconds since the start), 2 process, 3 pid, 4 cpu (fraction of a processor),
# 5 memory (bytes), 6 trace. The rows of a process of a trace follow one another.
# include: common
eval all_in_one
# include: axes
alone = 0
drawn = small ? 4 : 7

# The processes with the highest scores so far, of which the worst makes room, the later one of equals.
array key[drawn]
array process[drawn]
array number[drawn]
array from[drawn]
array score[drawn]
array born[drawn]
do for [s = 1:drawn] { key[s] = ""; process[s] = ""; number[s] = ""; from[s] = ""; score[s] = -1; born[s] = 0 }
row_key(x) = strcol(2)." ".strcol(3)." ".strcol(6)
# Missing values of a sample count as 0.
known(c) = missing(c) ? 0 : column(c)
worst(x) = (place = 1, unused = sum [s = 2:drawn] (score[s] < score[place] || \
    (score[s] == score[place] && born[s] > born[place]) ? (place = s) : 0), place)
put_series(s) = best <= score[s] ? 0 : ((key[s] = before), (process[s] = process_now), (number[s] = number_now), \
    (from[s] = from_now), (score[s] = best), (born[s] = n))
begin_series(x) = (n > 0 ? (put_series(worst(0)), several = several || strcol(6) ne from_now, \
    same_name = same_name || (strcol(2) eq process_now && strcol(6) eq from_now)) : 0, \
    before = row_key(0), process_now = strcol(2), number_now = strcol(3), from_now = strcol(6), best = 0, n = n + 1)
# Memory decides if the loads are equal.
note(load) = (best = larger(best, load), \
    late = larger(late, $1), early = $1 < early ? $1 : early, high = larger(high, known(4)), \
    peak = larger(peak, known(5)))
n = 0
before = ""
several = 0
same_name = 0
late = -1e300
early = 1e300
high = 0.0
peak = 0.0
stats $data using (strcol(1) eq "NaN" ? 1 : (row_key(0) eq before ? 0 : begin_series(0), \
    note(known(4) + 1e-15 * known(5)), 1)) nooutput
unused = n > 0 ? put_series(worst(0)) : 0
count_drawn = n < drawn ? n : drawn
array chosen[drawn]
do for [k = 1:count_drawn] { \
    best = 0; \
    do for [s = 1:drawn] { \
        if (score[s] >= 0) { if (best == 0) { best = s }; \
            if (score[s] > score[best] || (score[s] == score[best] && born[s] < born[best])) { best = s } } \
    }; \
    chosen[k] = best; \
    score[best] = -1; \
}
series_title(k) = shorten(process[chosen[k]], small ? 20 : 36) \
    .(same_name ? " (".number[chosen[k]].")" : "") \
    .(several ? ", ".shorten(from[chosen[k]], small ? 10 : 20) : "")
unit = unit_of_bytes(peak)
unit_name = name_of_bytes(unit)
is_of(k) = row_key(0) eq key[chosen[k]]

if (late <= early) { late = early + 1 }
set xrange [early:late]
if (!small) { \
    set grid linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set key @key_place Left reverse samplen key_sample; \
} else { \
    set key below samplen 2; \
}
heading_text = title_of_all_and(small ? 60 : 110, \
    some_of_all(count_drawn, n, "processes"))
if (small) { set multiplot layout 2, 1 title heading_text } else { set multiplot title heading_text }
part_size = (1 - foot - (no_title ? 0.0 : 0.06)) / 2
if (!small) { set size 1, part_size; set origin 0, foot + part_size }
if (foot > 0) { \
    set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
        font little_font textcolor rgb "#505050"; \
}
set yrange [0:(high > 0 ? 105 * high : 1)]
set ylabel fit_y(small ? "load (%)" : "CPU load (% of one processor)")
set xlabel fit_x(small || measured ? "" : "time (s)")
eval before_plot
plot for [k = 1:count_drawn] $data using 1:(is_of(k) && !missing(4) ? 100 * $4 : NaN) \
    with linespoints linecolor rgb palette_colour(k) dashtype palette_dashes(k) linewidth 1.5 \
    pointtype palette_mark(k) pointsize 0.5 pointinterval -20 title series_title(k)
unset label 99
if (measured) { unset key }
if (!small) { set origin 0, foot }
set yrange [0:(peak > 0 ? 1.05 * peak / unit : 1)]
set ylabel fit_y("memory (".unit_name.")")
set xlabel fit_x("time (s)")
eval before_plot
plot for [k = 1:count_drawn] $data using 1:(is_of(k) && !missing(5) ? $5 / unit : NaN) \
    with linespoints linecolor rgb palette_colour(k) dashtype palette_dashes(k) linewidth 1.5 \
    pointtype palette_mark(k) pointsize 0.5 pointinterval -20 title series_title(k)
unset multiplot
# include: remarks
if (pass == 1) { unused = note_axes(plot_number) }
