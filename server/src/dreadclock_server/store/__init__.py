"""The store of rooms: the contract (`base`), the store over Redis or Valkey, and the embedded Valkey."""
