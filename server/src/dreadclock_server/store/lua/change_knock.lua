-- Replace a knock's row, or delete it, if it is what the caller believes.
-- KEYS  knocks
-- ARGV  knock, its row, its row from now on: '' deletes it
-- Gives {DONE}, also where a try whose reply was lost did it, or {CONFLICT}.
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
