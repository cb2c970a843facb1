from hydra.core.config_store import ConfigStore

from torchrl.trainers.algorithms.configs.things import ExportedConfig, HiddenConfig, OneConfig, StoredConfig

__all__ = ["ExportedConfig", "HiddenConfig", "OneConfig"]


def _register_configs():
    cs = ConfigStore.instance()
    cs.store(group="thing", name="one", node=OneConfig)
    cs.store(group="thing", name="one", node=OneConfig)
    cs.store(group="thing", name="stored", node=StoredConfig)
    cs.store(group="thing", name="two", node=HiddenConfig)
    cs.store(group="thing", name="two", node=OneConfig)
