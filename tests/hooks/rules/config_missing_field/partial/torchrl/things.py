class Updater:
    def __init__(self, loss_module, *, eps=None):
        self.eps = eps
