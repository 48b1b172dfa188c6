if (pass == 1) { unused = note_axes(plot_number) }
if (pass != 1 && drawn_notes ne "" && exists("tells_drawn")) { print drawn_notes[1:strlen(drawn_notes) - 1] }
# On character terminals, remarks follow the picture.
if (small && !no_notes) { \
    set print "-"; \
    do for [remark_number = 1:remarks] { print "# ".remark_line(remark_number) }; \
    set print; \
}
