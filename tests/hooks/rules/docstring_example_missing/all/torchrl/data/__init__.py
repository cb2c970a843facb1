from torchrl.data.things import Plain, Block, Shown, InInit, BoxConfig, Call, Failure, Kind, Abstract, Base, work, Undocumented

__all__ = ["Plain","Block","Shown","InInit","BoxConfig","Call","Failure","Kind","Abstract","Base","work","Undocumented"]
