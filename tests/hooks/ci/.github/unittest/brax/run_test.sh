xvfb-run -a python -m pytest test/libs --instafail -v -k TestBrax --runslow
