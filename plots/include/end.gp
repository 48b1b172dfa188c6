# Ends the panels, and prints notes after the picture.
if (panels) { unset multiplot }
# include: remarks
