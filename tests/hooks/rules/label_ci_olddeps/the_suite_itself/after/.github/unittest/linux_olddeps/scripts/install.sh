pip install torch==2.1.1 -U  # expect: label-ci-olddeps advisory
