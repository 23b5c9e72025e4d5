-- Keep a snapshot, if the room's log holds its position, no newer one is kept (one of the same position may have been
-- spoiled), and it leaves a tenth of the memory.
-- KEYS  log, snapshot
-- ARGV  number, digest, blob
local id = ARGV[1] .. '-0'
local found = redis.call('XRANGE', KEYS[1], id, id)[1]
local kept = tonumber(redis.call('HGET', KEYS[2], 'number') or '0')
if not found or found[2][4] ~= ARGV[2] or kept > tonumber(ARGV[1]) then
  return {'DONE'}
end

local said = redis.pcall('INFO', 'memory')
if type(said) == 'string' then
  local used, most = said:match('used_memory:(%d+)'), said:match('maxmemory:(%d+)')
  if used and most and tonumber(most) > 0 and (tonumber(used) + #ARGV[3]) > tonumber(most) * 0.9 then
    return {'DONE'}
  end
end
redis.call('HSET', KEYS[2], 'number', ARGV[1], 'digest', ARGV[2], 'blob', ARGV[3])
return {'DONE'}
