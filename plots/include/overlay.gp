# Overlays all results unless panels are requested. Include after `common`.
over = results > 1 && layout ne "panels"
if (over) { panels = 0; count = 1; columns = 1; crowded = 0; heading = 0.0 }
