# Two axes with tics.
set border 3
set tics nomirror
if (!small) { set tics out }
