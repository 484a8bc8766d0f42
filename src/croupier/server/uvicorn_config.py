"""How every server of this program sets up uvicorn: frames are bounded and not compressed; only our own logs speak."""

from typing import Any

import uvicorn

from croupier.server.limits import FRAME_BYTES_MAX


def uvicorn_config(app: Any, **others: Any) -> uvicorn.Config:
    """`others` are settings of uvicorn in which this server differs."""
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
