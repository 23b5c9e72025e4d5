-- Keep a snapshot, if the room's log holds its position and no newer one is kept; one of the same position may have been spoiled.
-- KEYS  log, snapshot
-- ARGV  number, digest, blob
local id = ARGV[1] .. '-0'
local found = redis.call('XRANGE', KEYS[1], id, id)[1]
local kept = tonumber(redis.call('HGET', KEYS[2], 'number') or '0')
if found and found[2][4] == ARGV[2] and kept <= tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[2], 'number', ARGV[1], 'digest', ARGV[2], 'blob', ARGV[3])
end
return {'DONE'}
