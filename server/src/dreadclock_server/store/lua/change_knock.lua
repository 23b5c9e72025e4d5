-- Replace or delete a knock's row, if it is the expected row.
-- KEYS  knocks
-- ARGV  knock, expected row, new row ('' deletes the knock)
-- Returns {DONE}, also if an earlier try has done it, or {CONFLICT}.
local row = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if row == ARGV[3] then
  return {'DONE'}
elseif row ~= ARGV[2] then
  return {'CONFLICT'}
elseif ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return {'DONE'}
