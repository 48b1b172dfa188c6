# The two sides of a comparison: a is blue, solid, or a ring; b is orange, dashed, or a dot. Include
# after `common`, which has the titles. In small pictures all letters are small.
tic_font = ""
if (panels) { \
    columns = count > 1 ? 2 : 1; \
    heading = 4 * letter / term_height; \
    count = smaller(count, 2 * larger(1, int((1 - foot - heading) * term_height / (8 * letter)))); \
}
narrow = !small && (letters_in(1, 1) < 90 || lines_in(1) < 22)
beside = panels || narrow ? little : 1
if (narrow) { \
    tic_font = little_font; \
    set title font little_font; \
    set tics font little_font; \
    set xlabel font little_font; \
    set ylabel font little_font; \
    set key font little_font; \
}
names_font = narrow ? little : 1

side_letter(k) = k == 1 ? "a" : "b"
side_colour(k) = k == 1 ? "#0072B2" : "#D55E00"
# Name of a side, shortened to a fraction of the width.
side_name(k, part) = shorten(side[k], small ? 20 : larger(8, letters_in(part, names_font)))
side_title(k) = side_letter(k).": ".side_name(k, 0.22)

line_room(font) = small ? 70 : letters_in(0.95, font)
both_sides(room) = shorten(side[1], larger(8, int(0.5 * (room - strlen(report_title) - 13))))." (a) and ". \
    shorten(side[2], larger(8, int(0.5 * (room - strlen(report_title) - 13))))." (b)"
whole_title(room) = cut(given_title ne "" ? given_title : report_title.": ".both_sides(room), room)
title_of_all(width) = whole_title(line_room(names_font))
title_of_panels(x) = cut(given_title ne "" ? given_title : report_title, line_room(1.2) - 12) \
    .some_without_name(count, results, "panels")

# Panels have no space for keys: the names of the sides are above all panels, in their colours. The
# axis is labelled below the lowest panel.
if (panels) { \
    unset key; \
    set label 91 "— ".side_letter(1).": ".side_name(1, 0.3) at screen 0.48, screen 1 - 3 * letter / term_height \
        right front font little_font textcolor rgb side_colour(1); \
    set label 92 "- - ".side_letter(2).": ".side_name(2, 0.3) at screen 0.52, screen 1 - 3 * letter / term_height \
        left front font little_font textcolor rgb side_colour(2); \
    set tmargin 1.4; \
    set bmargin 2.6; \
    set xtics offset 0, 0.3; \
    set xlabel offset 0, 0.8; \
}
axis_name(i, name) = panels && i <= count - columns ? "" : name
title_of_result(i, width) = !panels ? title_of_all(0).(result_name[i] eq "" || result_name[i] eq trace_names ? \
    "" : ", ".result_name[i]) : cut(result_name[i] eq "" ? "(none)" : result_name[i], title_room(width))

# Label of a vertical axis; short if space is scarce.
upright(long, short) = small || panel_height(0) * term_height > 0.56 * letter * beside * (strlen(long) + 12) ? long : short

# Text of a ratio b / a.
ratio_words(ratio) = sprintf(ratio >= 99.995 ? "%.4g" : ratio < 0.0995 ? "%.2g" : "%.2f", ratio)
