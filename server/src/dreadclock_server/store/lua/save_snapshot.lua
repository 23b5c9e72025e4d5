-- Store a snapshot, if its position is in the log, there is no newer snapshot of this log, and a tenth of the memory
-- stays free. Replaces a snapshot of the same position, which may be damaged. Demo rooms get no snapshots.
-- KEYS  log, snapshot, meta
-- ARGV  number, digest, blob
local function holds(number, digest)
  local found = redis.call('XRANGE', KEYS[1], number .. '-0', number .. '-0')[1]
  return found and found[2][4] == digest
end

if redis.call('HEXISTS', KEYS[3], 'granted') == 1 then
  return {'DONE'}
end
local kept = redis.call('HMGET', KEYS[2], 'number', 'digest')
local is_older = kept[1] and tonumber(kept[1]) > tonumber(ARGV[1]) and holds(kept[1], kept[2])
if not holds(ARGV[1], ARGV[2]) or is_older then
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
