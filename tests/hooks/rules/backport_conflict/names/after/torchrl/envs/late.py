LATE = 2  # expect: backport-conflict advisory
