"""An assistant at the table: what a seat may see and do, as tools. Needs the extra `mcp`."""
