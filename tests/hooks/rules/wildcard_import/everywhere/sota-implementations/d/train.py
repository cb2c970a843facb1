from helper import make_env

X = make_env()
