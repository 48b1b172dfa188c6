# Results of benchmarks. One panel per measure, with a group of bars per test, such as a mode of
# Mobibench, and one bar per run: runs of several traces, or of one. For a table of results, which
# does not distinguish runs, one panel per unit, with bars per measure. A bar shows the mean, with a
# line over its confidence interval. Rates come first, in the first unit in which they are below
# 10000. If there are rates, or times of single operations, other measures are omitted. Results
# follow one another.
# Columns: 1 test, 2 run, 3 measure, 4 unit, mean, low, high, trace (where a result has several).
# include: common
eval all_in_one
# include: axes
alone = 0
mean = field("mean")
low = field("low")
high = field("high")
trace = field("trace")

# Limits of drawn tests, runs and measures.
most_tests = 40
most_traces = 20
most_series = 14
most_measures = 24
array test_name[most_tests]
array trace_name[most_traces]
array series_trace[most_series]
array series_run[most_series]
array measure_name[most_measures]
array measure_unit[most_measures]
array measure_high[most_measures]
array measure_low[most_measures]
array times_run[most_tests * most_traces]
array last_run[most_tests * most_traces]
array value[most_tests * most_series * most_measures]
array from[most_tests * most_series * most_measures]
array to[most_tests * most_series * most_measures]
tests = 0; traces = 0; runs_drawn = 0; measures = 0; left_out = 0; most_runs = 0
do for [k = 1:most_tests * most_traces] { times_run[k] = 0; last_run[k] = -1 }
do for [k = 1:most_tests * most_series * most_measures] { value[k] = NaN; from[k] = NaN; to[k] = NaN }

find_test(name) = (found = 0, unused = sum [k = 1:tests] (test_name[k] eq name ? (found = k) : 0), found)
find_trace(name) = (found = 0, unused = sum [k = 1:traces] (trace_name[k] eq name ? (found = k) : 0), found)
find_series(t, n) = (found = 0, unused = sum [k = 1:runs_drawn] \
    (series_trace[k] == t && series_run[k] == n ? (found = k) : 0), found)
find_measure(name, unit) = (found = 0, unused = sum [k = 1:measures] \
    (measure_name[k] eq name && measure_unit[k] eq unit ? (found = k) : 0), found)
add_test(name) = tests == most_tests ? 0 : (tests = tests + 1, (test_name[tests] = name), tests)
add_trace(name) = traces == most_traces ? 0 : (traces = traces + 1, (trace_name[traces] = name), traces)
add_series(t, n) = runs_drawn == most_series ? 0 : (runs_drawn = runs_drawn + 1, (series_trace[runs_drawn] = t), \
    (series_run[runs_drawn] = n), runs_drawn)
add_measure(name, unit) = measures == most_measures ? 0 : (measures = measures + 1, \
    (measure_name[measures] = name), (measure_unit[measures] = unit), (measure_high[measures] = 0.0), \
    (measure_low[measures] = 0.0), measures)
known_test(name) = (at = find_test(name), at > 0 ? at : add_test(name))
known_trace(name) = (at = find_trace(name), at > 0 ? at : add_trace(name))
known_series(t, n) = (at = find_series(t, n), at > 0 ? at : add_series(t, n))
known_measure(name, unit) = (at = find_measure(name, unit), at > 0 ? at : add_measure(name, unit))

# Number of the row's run within its test and trace; rows of a run are adjacent.
note_run(pair, run) = (last_run[pair] == run ? 0 : ((last_run[pair] = run), \
    (times_run[pair] = times_run[pair] + 1), 0), most_runs = larger(most_runs, times_run[pair]), times_run[pair])
cell(m, t, s) = ((m - 1) * most_tests + t - 1) * most_series + s
keep(m, t, s, number) = m == 0 || s == 0 ? (left_out = left_out + 1) : ((value[cell(m, t, s)] = number), \
    (is_between(0) ? ((from[cell(m, t, s)] = column(low)), (to[cell(m, t, s)] = column(high))) : 0), \
    (measure_high[m] = larger(measure_high[m], is_between(0) ? column(high) : number)), \
    (measure_low[m] = smaller(measure_low[m], is_between(0) ? column(low) : number)), 0)
note(t, f, number) = t == 0 || f == 0 ? (left_out = left_out + 1) : \
    (nth = has_run(0) ? note_run((t - 1) * most_traces + f, column(2)) : 1, s = known_series(f, nth), \
    m = known_measure(has_run(0) ? strcol(3) : "", unit_of_row(strcol(4))), keep(m, t, s, number))
# A rate is per second, written s or sec.
unit_of_row(unit) = strlen(unit) > 2 && unit[strlen(unit) - 1:*] eq "/s" ? unit."ec" : unit
trace_of(x) = trace > 0 ? strcol(trace) : results > 1 ? result_name[i] : ""
is_row(x) = !missing(mean)
is_between(x) = !missing(low) && !missing(high)
has_run(x) = !missing(2)
row_of(x) = has_run(0) ? strcol(1) : strcol(1) eq "" || strcol(1) eq "NaN" ? strcol(3) : strcol(1).", ".strcol(3)
note_row(x) = (t = known_test(row_of(0)), f = known_trace(trace_of(0)), note(t, f, column(mean)))
do for [i = 1:results] { \
    stats $data index i - 1 using (is_row(0) ? (note_row(0), 1) : 1) nooutput; \
}
if (measures == 0) { exit status nothing }

# Measures to draw; if a run has one in several units, the usual unit.
rank(name) = name eq "throughput" ? 1 : name eq "I/Os" ? 2 : name eq "transactions" ? 3 : name eq "latency" ? 4 : 5
is_better(k, m) = measure_name[k] eq measure_name[m] && (measure_high[k] < 10000 ? k < m || measure_high[m] >= 10000 : \
    measure_high[m] >= 10000 && k > m) ? 1 : 0
is_known(m, t, s) = value[cell(m, t, s)] == value[cell(m, t, s)]
is_best(m, t, s) = is_known(m, t, s) && \
    (sum [k = 1:measures] (is_better(k, m) && is_known(k, t, s) ? 1 : 0)) == 0 ? 1 : 0
is_unit(m) = (sum [t = 1:tests] sum [s = 1:runs_drawn] is_best(m, t, s)) > 0
usual = 0
do for [m = 1:measures] { if (rank(measure_name[m]) < 5) { usual = 1 } }
array drawn[6]
drawn_count = 0
unit_count = 0
do for [r = 1:5] { \
    do for [m = 1:measures] { \
        if (rank(measure_name[m]) == r && is_unit(m)) { \
            unit_count = unit_count + 1; \
            if (drawn_count < 6 && (r < 5 || !usual)) { drawn_count = drawn_count + 1; drawn[drawn_count] = m }; \
        }; \
    }; \
}

label_width = letters_in(0.28, small ? 1 : 0.72)
names_font = 0.72
do for [t = 1:tests] { unused = note_name(shorten(test_name[t], label_width)) }
several = traces > 1
series_name(s) = (several ? shorten(trace_name[series_trace[s]], 30) : "") \
    .(most_runs > 1 || (most_runs > 0 && !several) ? (several ? ", " : "").sprintf("run %d", series_run[s]) : "")
text_font = small ? "" : sized(names_font)
number(x) = x >= 1000 ? sprintf("%.0f", x) : sprintf("%.4g", x)
begin = small ? 0 : names_part(0)
part = (0.99 - begin) / drawn_count
row_height = 1.55 * letter / term_height
thick = 0.8 / runs_drawn
top(s) = -0.4 + (s - 1) * thick
# Start of a bar, and the ends of the bar and of its line.
beginning(m, t, s) = is_known(m, t, s) ? 0 : nowhere
tip(m, t, s) = larger(0, to[cell(m, t, s)] > value[cell(m, t, s)] ? to[cell(m, t, s)] : value[cell(m, t, s)])
comment(m, t, s) = is_known(m, t, s) ? number(value[cell(m, t, s)]) : ""
name_beside(p, t) = p == 1 || small ? shorten(test_name[t], label_width) : ""
heading_text = title_of_all_and(small ? 50 : 70, \
    some_of_all(drawn_count, unit_count, "measures") \
    .(left_out > 0 ? sprintf(" (%d values left out)", left_out) : ""))
set print $bar
do for [t = 1:tests] { print t }
set print
set ytics scale 0
own_y = 1
set tics font text_font
set yrange [larger(tests, 4) - 0.5:-0.5]
if (!small) { \
    set grid xtics linetype 1 linecolor rgb "#D8D8D8" linewidth 0.5; \
    set multiplot title heading_text; \
    set tmargin at screen 1 - 3.8 * row_height; \
    set bmargin at screen foot + 6.5 * row_height; \
    set key at screen 0.99, screen foot + 1.1 * row_height bottom right horizontal Left reverse samplen 1 font text_font; \
    if (foot > 0) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
}
do for [p = 1:drawn_count] { \
    m = drawn[p]; \
    most = measure_high[m] > 0 ? measure_high[m] : 1.0; \
    reach = 1.35 * most - 0.35 * measure_low[m]; \
    set xrange [1.1 * measure_low[m]:reach]; \
    set xtics step(reach - measure_low[m], small || drawn_count < 3 ? 6 : measure_low[m] < 0 ? 4 : 3); \
    set xlabel measure_unit[m] eq "" ? measure_name[m] : drawn_count > 3 || measure_name[m] eq "" ? measure_unit[m] : \
        measure_name[m]." (".measure_unit[m].")" font text_font; \
    if (small) { \
        set title heading_text.", ".measure_name[m]; \
        set key outside below; \
    } else { \
        if (p > 1) { unset key }; \
        set title measure_name[m] font text_font; \
        set lmargin at screen begin + (p - 1) * part; \
        set rmargin at screen begin + p * part - 0.02; \
    }; \
    eval before_plot; \
    plot for [s = 1:runs_drawn] $bar \
            using (beginning(m, int($1), s)):($0):(beginning(m, int($1), s)):(value[cell(m, int($1), s)]):($0 + top(s)):($0 + top(s) + thick): \
            ytic(name_beside(p, int($1))) \
            with boxxyerror linecolor rgb palette_colour(s) fillstyle pattern s > 7 ? 4 : 3 \
            border linecolor rgb "black" title series_name(s), \
        for [s = 1:runs_drawn] $bar \
            using (value[cell(m, int($1), s)]):($0 + top(s) + 0.5 * thick): \
            (from[cell(m, int($1), s)]):(to[cell(m, int($1), s)]) \
            with xerrorbars pointtype 0 linecolor rgb "black" linewidth 0.8 notitle, \
        for [s = 1:runs_drawn] $bar \
            using (comment(m, int($1), s) eq "" ? nowhere : tip(m, int($1), s)): \
            ($0 + top(s) + 0.5 * thick):(comment(m, int($1), s)) with labels left offset 0.7, 0 \
            font text_font notitle; \
    unset label 99; \
}
if (!small) { unset multiplot }
# include: remarks
