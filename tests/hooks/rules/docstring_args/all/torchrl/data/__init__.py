from torchrl.data.things import Both, Stale, Near, InInit, Free, Call, Settings, PlainSettings, Props, NoArgs, NoneTaken, Inherits, Old, Heads, Other, function, Methods, Meta, Overloaded, Odd, BoxConfig, Deprecated, Default, Many

__all__ = ["Both","Stale","Near","InInit","Free","Call","Settings","PlainSettings","Props","NoArgs","NoneTaken","Inherits","Old","Heads","Other","function","Methods","Meta","Overloaded","Odd","BoxConfig","Deprecated","Default","Many"]
