-- Delete a demo room whose time is over. While somebody is connected, extend its time, up to its latest end.
-- KEYS  in-play, here, then the room's other keys
-- ARGV  now (ms), ms after which the connected seats of a silent node are ignored, '1' if its time counts as over
-- Returns {DONE}, {NONE} if the room is no demo room (any more), or {LATER, time of the next check}.
local mark = redis.call('HMGET', KEYS[1], 'due', 'for', 'ends')
if not mark[1] then
  return {'NONE'}
end
local now = tonumber(ARGV[1])
local ends = tonumber(mark[3] or math.huge) -- rooms of older servers have no end
if tonumber(mark[1]) > now and ARGV[3] ~= '1' then
  return {'LATER', mark[1]}
end
for node, said in pairs(now < ends and redis.call('HGETALL', KEYS[2]) or {}) do
  if node % 2 == 0 and cjson.decode(said).at_ms > now - tonumber(ARGV[2]) then
    local due = string.format('%.0f', math.min(now + tonumber(mark[2]), ends))
    redis.call('HSET', KEYS[1], 'due', due)
    return {'LATER', due}
  end
end
redis.call('UNLINK', unpack(KEYS))
return {'DONE'}
