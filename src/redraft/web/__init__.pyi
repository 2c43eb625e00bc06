from .app import Options as Options, make_app as make_app
from .safety import Safety as Safety, is_loopback as is_loopback, read_token as read_token
from .server import Server as Server
