"""What a client does so that it need not believe the server: dice tokens, its own rolls, and heads noted earlier."""
