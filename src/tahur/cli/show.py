"""stub"""


def show() -> None: ...
