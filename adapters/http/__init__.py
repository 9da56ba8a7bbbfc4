"""HTTP/1.1 over TCP and TLS: the one way out, layer by layer."""
