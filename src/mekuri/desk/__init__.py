"""The desk: everything that a client may ask, for every front: a server, or a client in the same process.

It uses no web framework, no database, no NumPy and no threads. The stores, the workers and the homes of tables are given to it.
"""
