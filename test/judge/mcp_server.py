"""Server of the judge `mcp`: the same few tools, served by FastMCP (`fastmcp`) or by an older Python SDK (`mcp`), and with a sign-in.

python mcp_server.py fastmcp|oauth|proxy|mcp PORT FOLDER [PROVIDER]: `proxy` signs in at another provider, whose address is the last one
"""

import sys
import time
from pathlib import Path

library, port, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])

if library == "mcp":
    from mcp.server.fastmcp import FastMCP

    server = FastMCP("judge", host="127.0.0.1", port=port)
else:
    from fastmcp import FastMCP

    options = {}
    if library == "oauth":
        from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider
        from mcp.server.auth.settings import ClientRegistrationOptions

        registration = ClientRegistrationOptions(enabled=True, valid_scopes=["read"], default_scopes=["read"])
        options["auth"] = InMemoryOAuthProvider(
            base_url=f"http://127.0.0.1:{port}", client_registration_options=registration, required_scopes=["read"]
        )
    if library == "proxy":
        from fastmcp.server.auth.oauth_proxy import OAuthProxy
        from fastmcp.server.auth.providers.introspection import IntrospectionTokenVerifier
        from key_value.aio.stores.memory import MemoryStore

        provider = sys.argv[4]
        client = {"client_id": "gateway", "client_secret": "secret"}
        options["auth"] = OAuthProxy(
            upstream_authorization_endpoint=f"{provider}/auth",
            upstream_token_endpoint=f"{provider}/token",
            upstream_client_id=client["client_id"],
            upstream_client_secret=client["client_secret"],
            token_verifier=IntrospectionTokenVerifier(introspection_url=f"{provider}/token/introspection", **client),
            base_url=f"http://127.0.0.1:{port}",
            valid_scopes=["openid", "read"],
            # forgotten when it ends
            client_storage=MemoryStore(),
        )
    server = FastMCP("judge", **options)


@server.tool()
def read_id(offset: int) -> dict[str, int]:
    """Gives a whole number that JavaScript does not have."""
    return {"id": 9007199254740993 + offset}


@server.tool()
def create_ticket() -> str:
    """Creates a ticket and takes long to say so."""
    with (folder / "tickets").open("a") as tickets:
        tickets.write("ticket\n")
    time.sleep(60)
    return "created"


if library == "mcp":
    server.run(transport="streamable-http")
else:
    server.run(transport="http", host="127.0.0.1", port=port, show_banner=False)
