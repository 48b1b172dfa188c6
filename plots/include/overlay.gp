# Overlays all results unless panels are requested. Include after `common`.
over = results > 1 && layout ne "panels"
if (over) { eval all_in_one }
