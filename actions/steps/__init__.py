"""What the steps of the composite actions run, one file an action; everything they are told comes by environment."""
