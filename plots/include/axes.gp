# Two axes, and marks on them.
set border 3
set tics nomirror
if (!small) { set tics out }
