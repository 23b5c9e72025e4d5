-- Add or replace a token.
-- KEYS  meta, tokens
-- ARGV  token hash, value
-- Gives {DONE} or {NOROOM}.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {'NOROOM'}
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[1], 'tokens_version', 1)
return {'DONE'}
