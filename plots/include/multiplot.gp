# Begins the panels, which the plot ends.
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns title title_of_panels(0); \
}
# In a small picture all is near the axes, for which gnuplot leaves as much room as large letters take.
if (panels && measured) { \
    set tics font little_font; \
    set title font little_font; \
    set xlabel font little_font offset 0, 0.8; \
    set ylabel font little_font; \
    set xtics offset 0, 0.3; \
    set bmargin 2.3; \
}
