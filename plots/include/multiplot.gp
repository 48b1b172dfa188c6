# Begins the panels; the plot ends them.
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns title title_of_panels(0) @panels_font; \
}
# In small pictures, text is close to the axes: gnuplot reserves space for large letters.
if (panels && measured) { \
    set tics font little_font; \
    set title font little_font; \
    set xlabel font little_font offset 0, 0.8; \
    set ylabel font little_font; \
    set xtics offset 0, 0.3; \
    set bmargin 2.3; \
}
