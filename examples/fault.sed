s/H + SIDE\] == c/H + SIDE] != c/
