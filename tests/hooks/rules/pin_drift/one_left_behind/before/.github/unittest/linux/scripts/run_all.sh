pip3 install "torchcodec>=0.10"
