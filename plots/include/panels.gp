# Begins the panels, with small letters where two stand side by side.
# include: multiplot
if (panels && columns > 1) { \
    set tics font little_font; \
    set title font little_font; \
    set xlabel font little_font; \
    set ylabel font little_font; \
}
