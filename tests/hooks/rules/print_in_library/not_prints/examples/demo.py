print("an example may print")
