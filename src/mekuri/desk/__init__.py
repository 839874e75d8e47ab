"""The desk: everything that a client may ask, for every front: a server, the terminal, a browser's worker.

It uses no web framework, no database, no NumPy and no threads. The stores, the workers and the homes of tables are given to it.
"""
