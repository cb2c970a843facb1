class Loss:
    def __init__(self, actor, value=None, alpha=1.0):
        self.actor = actor


class DiscreteLoss:
    def __init__(self, actor, *, action_space=None, alpha=1.0):
        self.actor = actor


class Clip:
    def __init__(self, epsilon=0.2):
        self.epsilon = epsilon


class Penalty:
    def __init__(self, beta=1.0, target=0.01):
        self.beta = beta
