-- Raise the granted bytes of a demo room. Never lowers them, and ignores other rooms.
-- KEYS  meta
-- ARGV  bytes
local granted = redis.call('HGET', KEYS[1], 'granted')
if granted and tonumber(granted) < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'granted', ARGV[1])
end
return {'DONE'}
