"""Watching environments: a mosaic of their pictures with returns, as a film or live in a browser.

For `parallel-pool watch`. Needs Pillow, and for films in MP4 imageio-ffmpeg: the extra "watch".
Importing this package imports neither.
"""
