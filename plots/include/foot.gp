# Ledger and remarks in small letters below the picture.
if (foot > 0) { \
    set label 99 foot_text at screen 0.012, screen foot - 0.6 * foot_line left front \
        font little_font textcolor rgb "#505050"; \
}
if (names_length > 0 && !small) { set lmargin at screen names_part(0) }
set size 1, 1 - foot
set origin 0, foot
