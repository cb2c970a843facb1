files="test/test_a.py test/test_b.py test/test_c.py test/test_d.py"
pytest ${files}  # expect: test-never-collected
pytest test
