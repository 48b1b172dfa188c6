# All results are drawn over one another, unless panels are asked for. Behind `common`.
over = results > 1 && layout ne "panels"
if (over) { panels = 0; count = 1; columns = 1; crowded = 0; heading = 0.0 }
