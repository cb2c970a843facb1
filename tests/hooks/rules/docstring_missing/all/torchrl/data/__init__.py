from torchrl.data.things import Bare, Said, Empty, Gone, Assigned, bare, Dispatched, Later

__all__ = ["Bare","Said","Empty","Gone","Assigned","bare","Dispatched","Later"]
