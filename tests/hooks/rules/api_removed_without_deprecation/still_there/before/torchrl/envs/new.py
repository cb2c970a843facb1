class BornAndGone:
    def __init__(self, never_released=1):
        self.x = never_released
