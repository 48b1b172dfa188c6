# Begins the panels, with small letters if there are many. If three are below one another, text is
# close to the axes, because gnuplot reserves space for large letters.
# include: multiplot
if (crowded) { \
    set tics font little_font; \
    set title font little_font; \
    set xlabel font little_font; \
    set ylabel font little_font; \
}
if (crowded && panel_lines(0) > 2 && !measured) { \
    set title offset 0, -0.7; \
    set xtics offset 0, 0.3; \
    set xlabel offset 0, 1; \
    set tmargin 1.5; \
    set bmargin 2.6; \
}
