-- Add or replace a token, unless there are as many others as may be.
-- KEYS  meta, tokens
-- ARGV  token hash, value, the most that are kept
-- Gives {DONE}, {FULL} or {NOROOM}. HLEN is not among the rights that the README asks for.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {'NOROOM'}
elseif redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 and #redis.call('HGETALL', KEYS[2]) / 2 >= tonumber(ARGV[3]) then
  return {'FULL'}
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[1], 'tokens_version', 1)
return {'DONE'}
