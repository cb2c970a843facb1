from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchrl.a.second import Second


class First:
    def other(self) -> Second:
        from torchrl.a.second import Second

        return Second()

    def own_package(self):
        from torchrl.a import First

        return First

    def needs_an_optional_package(self):
        from torchrl.a.wrapped import Wrapped

        return Wrapped

    def refuses(self):
        from torchrl.configs.one import Config

        return Config

    def lost(self):
        from torchrl.a.third import Third  # expect: import-in-function error

        return Third

    def built(self):
        from torchrl._torchrl import Tree

        return Tree

    def on_condition(self, key):
        if key is not None:
            from torchrl.envs.common import helper  # expect: import-in-function error

            return helper
        return None
