"""The frozen values that the rooms hand to each other."""
