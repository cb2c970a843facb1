class Loss:
    def __init__(self, alpha=1.0):
        self.alpha = alpha


class OtherLoss:
    def __init__(self, alpha=2.0):
        self.alpha = alpha
