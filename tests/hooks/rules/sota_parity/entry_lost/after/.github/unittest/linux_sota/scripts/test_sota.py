commands = {
    "other_name": """python sota-implementations/known/run.py total=1"""
}
