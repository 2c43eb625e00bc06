from .server import build_server as build_server
from .serving import (
    http_app as http_app,
    is_loopback as is_loopback,
    serve_http as serve_http,
    serve_stdio as serve_stdio,
)
