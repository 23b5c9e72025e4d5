-- Let a demo room hold more bytes; never fewer, and no other room.
-- KEYS  meta
-- ARGV  bytes
local granted = redis.call('HGET', KEYS[1], 'granted')
if granted and tonumber(granted) < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'granted', ARGV[1])
end
return {'DONE'}
