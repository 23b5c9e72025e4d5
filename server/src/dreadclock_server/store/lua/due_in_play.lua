-- Return all demo rooms with the times of their next checks; nothing if another process has asked recently.
-- KEYS  the hash of these times, whose field '' has the time at which a process last asked
-- ARGV  now (ms), minimum ms between two processes that ask
-- Returns room, ms ...
local before = tonumber(redis.call('HGET', KEYS[1], '') or 0)
if before <= tonumber(ARGV[1]) and tonumber(ARGV[1]) < before + tonumber(ARGV[2]) then
  return {}
end
redis.call('HSET', KEYS[1], '', ARGV[1])
return redis.call('HGETALL', KEYS[1])
