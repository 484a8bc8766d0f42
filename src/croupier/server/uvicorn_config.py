"""The uvicorn settings of every server in this program: frames are bounded and not compressed, and only our own logs
are written."""

from typing import Any

import uvicorn

from croupier.server.limits import FRAME_BYTES_MAX


def uvicorn_config(app: Any, **others: Any) -> uvicorn.Config:
    """`others` are further settings of uvicorn for this server."""
    common = {
        "proxy_headers": False,
        "ws_max_size": 2 * FRAME_BYTES_MAX,
        "ws_per_message_deflate": False,
        "access_log": False,
        "log_config": None,
        "log_level": "warning",
        "server_header": False,
    }
    return uvicorn.Config(app, **{**common, **others})
