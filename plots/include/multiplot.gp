# Begins the panels, which the plot ends.
if (panels) { \
    set multiplot layout (count + columns - 1) / columns, columns title title_of_panels(0); \
}
