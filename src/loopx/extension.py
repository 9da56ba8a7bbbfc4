"""What extensions are written with; see docs/extensions.md.

In the process of an extension this name is all of LoopX that there is. Here it is the same code, so that
an author's editor, type checker and tests know it.
"""

from loopx.domain.extensions.authoring import Note, Record, Request, RequestFailedError, Response, Steps

__all__ = ["Note", "Record", "Request", "RequestFailedError", "Response", "Steps"]
