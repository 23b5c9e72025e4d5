-- Give all tables in play with when to look at them, unless another process has just asked.
-- KEYS  index of tables in play, which has a row '' for when it was asked for
-- ARGV  now (ms), ms for which nobody else need ask
-- Gives room, ms ...
local before = tonumber(redis.call('HGET', KEYS[1], '') or 0)
if before <= tonumber(ARGV[1]) and tonumber(ARGV[1]) < before + tonumber(ARGV[2]) then
  return {}
end
redis.call('HSET', KEYS[1], '', ARGV[1])
return redis.call('HGETALL', KEYS[1])
