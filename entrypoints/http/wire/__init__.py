"""HTTP/1.1 on the wire: bounded in size, time and number, before anything is decided about a request."""
