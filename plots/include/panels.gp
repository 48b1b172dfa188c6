# Begins the panels, with small letters where there are many, and these near the axes where three
# stand one above the other: gnuplot leaves as much room as large letters take.
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
