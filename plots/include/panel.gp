    set size panel_width(0), panel_height(0); \
    set origin panel_left(i), panel_bottom(i); \
    unset label 99; \
    if (measured && i > 1 && !own_keys) { unset key }; \
    if (names_length > 0 && !small) { \
        set lmargin at screen panel_left(i) + names_part(0); \
    }; \
    if (foot > 0 && i == 1) { \
        set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
            font little_font textcolor rgb "#505050"; \
    }; \
