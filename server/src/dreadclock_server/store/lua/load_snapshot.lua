-- Return the snapshot, if its position is in the log.
-- KEYS  log, snapshot
-- Returns {DONE, number, digest, blob} or {NONE}.
local kept = redis.call('HMGET', KEYS[2], 'number', 'digest', 'blob')
if not kept[1] then
  return {'NONE'}
end
local id = kept[1] .. '-0'
local found = redis.call('XRANGE', KEYS[1], id, id)[1]
if not found or found[2][4] ~= kept[2] then
  return {'NONE'}
end
return {'DONE', kept[1], kept[2], kept[3]}
