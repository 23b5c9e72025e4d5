"""Where rooms are kept: the contract, the store over Redis or Valkey, and the embedded Valkey."""
