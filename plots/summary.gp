# The summary as a table: one line per attribute, one column per result. Missing values are blank.
# Columns: 1 attribute, in_words (the value as people write it).
# include: common
eval all_in_one
# include: foot

# As many lines and results as fit.
shown_results = smaller(results, small ? 3 : 5)
most_lines = measured ? larger(4, int(((1 - foot) * term_height / letter - 4) / 1.35)) : larger(4, lines_in(1 - foot) - 5)
array line_name[most_lines]
n = 0
find(name) = (found = 0, unused = sum [k = 1:smaller(n, most_lines)] \
    (line_name[k] eq name ? (found = k) : 0), found)
add(name) = (n = n + 1, n <= most_lines ? (line_name[n] = name) : "", n)
line(name) = (at = find(name), at > 0 ? at : add(name))
do for [i = 1:shown_results] { \
    stats $data index i - 1 using (strcol(1) eq "NaN" ? 1 : line(strcol(1))) nooutput; \
}
lines = smaller(n, most_lines)
if (lines == 0) { exit status nothing }

# Groups digits by threes; other values are already formatted.
words_column = field("in_words")
is_digits(text) = (sum [k = 1:strlen(text)] (strstrt("0123456789", text[k:k]) == 0)) == 0
grouped(digits) = strlen(digits) <= 3 ? digits : \
    grouped(digits[1:strlen(digits) - 3])." ".digits[strlen(digits) - 2:*]
value_text(x) = is_digits(strcol(words_column)) ? grouped(strcol(words_column)) : \
    strcol(words_column)

set title title_of_all_and(small ? 50 : 70, some_of_all(lines, n, "lines") \
    .some_of_all(shown_results, results, "traces"))
unset border
unset tics
own_x = 1
own_y = 1
set key off noautotitle
set lmargin 4
set rmargin 4
name_part = shown_results == 1 ? 0.5 : shown_results == 2 ? 0.4 : 0.3
name_width = letters_in(name_part * 0.95, points_drawn)
column_part = (1 - name_part) / shown_results
value_width = letters_in(column_part * 0.95, points_drawn)
set xrange [0:1]
set yrange [larger(lines, 12) + 0.5:results > 1 ? -0.8 : 0.3]
heading_of(i) = results > 1 ? short_name(i, value_width - (measured ? 2 : 0)) : ""
place(x) = strcol(1) eq "NaN" ? 0 : line(strcol(1))
is_shown(x) = place(0) > 0 && place(0) <= lines
eval before_plot
plot for [k = 1:lines] "+" every ::0::0 using (0):(k):(cut(line_name[k], name_width)) \
        with labels left notitle, \
    for [i = 1:shown_results] "+" every ::0::0 \
        using (name_part + i * column_part):(0):(heading_of(i)) with labels right notitle, \
    for [i = 1:shown_results] $data index i - 1 \
        using (is_shown(0) ? name_part + i * column_part : nowhere):(place(0)): \
        (is_shown(0) ? cut(value_text(0), value_width) : "") with labels right notitle
# include: end
