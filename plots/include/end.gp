# Ends the panels, and writes what follows the picture.
if (panels) { unset multiplot }
# include: remarks
