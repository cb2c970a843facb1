from hydra.core.config_store import ConfigStore

from torchrl.trainers.algorithms.configs.things import (
    OneConfig,
)

__all__ = [
    # Things
    "OneConfig",
    # Others
    "something",
]


def _register_configs():
    cs = ConfigStore.instance()

    # Things
    cs.store(group="thing", name="one", node=OneConfig)

    # Others
    cs.store(group="other", name="something", node=object)
