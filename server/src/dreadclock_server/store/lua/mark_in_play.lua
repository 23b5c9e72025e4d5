-- Note until when a table in play stays although nobody is there. What was noted before is never made shorter, and no
-- room stays beyond its end.
-- KEYS  in-play
-- ARGV  so many ms from now, now (ms), the ms at which the room ends if it is not marked yet; '' marks no new one
-- Gives {DONE} or {NONE}.
local before = redis.call('HMGET', KEYS[1], 'due', 'for', 'ends')
if not before[1] and ARGV[3] == '' then
  return {'NONE'}
end
local stays = math.max(tonumber(ARGV[1]), tonumber(before[2] or 0))
local due = math.max(tonumber(ARGV[2]) + tonumber(ARGV[1]), tonumber(before[1] or 0))
if not before[1] then
  redis.call('HSET', KEYS[1], 'ends', ARGV[3])
end
due = math.min(due, tonumber(redis.call('HGET', KEYS[1], 'ends') or due)) -- rooms of older servers have no end
redis.call('HSET', KEYS[1], 'due', string.format('%.0f', due), 'for', string.format('%.0f', stays))
return {'DONE'}
