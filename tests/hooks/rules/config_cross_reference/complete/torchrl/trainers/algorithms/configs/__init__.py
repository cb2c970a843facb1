from hydra.core.config_store import ConfigStore

from torchrl.trainers.algorithms.configs.things import LossConfig

__all__ = ["LossConfig"]


def _register_configs():
    cs = ConfigStore.instance()
    cs.store(group="loss", name="loss", node=LossConfig)
