"""The operations, one declaration each. A module declares its own when it is first imported.

The rest of the engine imports each of them somewhere, so nothing has to be listed here.
"""
