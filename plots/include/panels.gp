# Begins the panels, with small letters where two stand side by side.
# include: multiplot
if (panels && columns > 1) { \
    set tics font ",9"; \
    set title font ",9"; \
    set xlabel font ",9"; \
    set ylabel font ",9"; \
}
