pip install torch==2.1.1
