from torchrl.data.things import Loop, Names, Good, Method, Starred, Indented

__all__ = ["Loop","Names","Good","Method","Starred","Indented"]
