"""An assistant with a seat: MCP tools for everything that the seat may see and do. Needs the extra `mcp`."""
