pip3 install \
  pytest \
  'torchcodec>=0.10'
