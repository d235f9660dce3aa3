"""The one exception that is a user's mistake: one clear line, exit status 2."""


class UserError(Exception):
    """Names the parameter, its value and what is allowed."""
