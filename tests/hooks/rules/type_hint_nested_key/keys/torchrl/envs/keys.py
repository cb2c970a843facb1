from __future__ import annotations

from tensordict import NestedKey, TensorDict


class Transform:
    def __init__(  # expect: type-hint-nested-key advisory
        self,
        # Where the reward lies.
        reward_key: str = "reward",  # its default
        done_keys: list[str] | None = None,
        other_key: NestedKey = "other",
    ):
        self.reward_key = reward_key
        self.done_keys = done_keys
        self.other_key = other_key

    def forward(self, tensordict: TensorDict):
        return tensordict.get(self.reward_key), tensordict.select(*self.done_keys), tensordict[self.other_key]


def read(next_td, value_key: str):  # expect: type-hint-nested-key
    return next_td[value_key]
