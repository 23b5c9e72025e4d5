-- Set the counts of a room's bytes, if it has none yet and the log ends at the expected entry.
-- KEYS  meta
-- ARGV  number of the expected entry, public bytes of the entries up to it
-- Returns {DONE, public bytes, hidden bytes}, also if the room has counts already, {CONFLICT} or {NOROOM}.
local head = redis.call('HMGET', KEYS[1], 'number', 'public', 'hidden')
if not head[1] then
  return {'NOROOM'}
elseif head[2] then
  return {'DONE', head[2], head[3]}
elseif head[1] ~= ARGV[1] then
  return {'CONFLICT'}
end
redis.call('HSET', KEYS[1], 'public', ARGV[2], 'hidden', '0')
return {'DONE', ARGV[2], '0'}
