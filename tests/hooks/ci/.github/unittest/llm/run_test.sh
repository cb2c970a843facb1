pytest test/llm/test_sglang*.py --runslow
pytest test/llm -vvv --runslow --ignore=test/llm/test_sglang.py
