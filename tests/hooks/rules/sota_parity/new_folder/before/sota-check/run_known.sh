python sota-implementations/known/run.py \
  total=1
