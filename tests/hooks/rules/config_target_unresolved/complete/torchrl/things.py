class Loss:
    """A loss.

    See also :class:`~torchrl.trainers.algorithms.configs.LossConfig`.

    Args:
        actor: the actor.
        alpha: a weight.
    """

    def __init__(self, actor, *, alpha: float = 1.0):
        self.actor = actor
