# Key of several plots below one another, in lines above the first in small pictures, else beside it.
# The plot defines `key_of_one`, the lines of a key of one result. name_above(s) is the name of
# result s; key_rows is the number of lines.
longest_name = 0
do for [s = 1:results] { longest_name = larger(longest_name, strlen(short_name(s, 30))) }
names_in_line = larger(1, int(letters_in(0.75, 0.8 * points_drawn) / (1.25 * longest_name + 9)))
key_rows = !compact ? 0 : results > 1 ? smaller(3, int(ceil(1.0 * results / names_in_line))) : key_of_one
named = smaller(results, names_in_line * key_rows)
name_above(s) = s < named || results == named ? short_name(s, 30) : s == named ? sprintf("and %d more", results - s + 1) : ""
# gnuplot takes LaTeX's letters for wider than they are, so "longest time" and "mean time" would not fit in one line.
key_above = compact ? sprintf("at graph 1, graph 1 right bottom horizontal maxcols %d spacing 0.9%s", results > 1 ? names_in_line : 2, is_tex && results == 1 ? " width -3" : "") : \
    "outside right top vertical"
# Top of the first plot in a small picture.
top_below_key = 1 - ((no_title ? 0.8 : 2.4) + 1.2 * key_rows) * letter / term_height
