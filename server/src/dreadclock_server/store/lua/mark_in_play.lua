-- Store until when a demo room stays if nobody is connected. Never shortens this time, nor extends it beyond the end.
-- KEYS  in-play
-- ARGV  ms for which the room stays, now (ms), the end (ms) of a room without a mark ('' to mark no such room)
-- Returns {DONE} or {NONE}.
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
