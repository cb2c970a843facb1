echo dead  # expect: label-inconsistent warning
