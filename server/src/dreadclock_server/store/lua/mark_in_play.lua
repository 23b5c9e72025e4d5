-- Note until when a table in play stays although nobody is there. What was noted before is never made shorter.
-- KEYS  in-play
-- ARGV  so many ms from now, now (ms), whether it is to be marked if it is not marked yet
-- Gives {DONE} or {NONE}.
local before = redis.call('HMGET', KEYS[1], 'due', 'for')
if not before[1] and ARGV[3] ~= '1' then
  return {'NONE'}
end
local stays = math.max(tonumber(ARGV[1]), tonumber(before[2] or 0))
local due = math.max(tonumber(ARGV[2]) + tonumber(ARGV[1]), tonumber(before[1] or 0))
redis.call('HSET', KEYS[1], 'due', string.format('%.0f', due), 'for', string.format('%.0f', stays))
return {'DONE'}
