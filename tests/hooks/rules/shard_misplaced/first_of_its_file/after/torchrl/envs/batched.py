class ParallelEnv:
    """Steps its environments in processes of their own."""
