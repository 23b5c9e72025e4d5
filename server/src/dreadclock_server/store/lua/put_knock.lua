-- Store a knock, and delete expired knocks. If there are too many, delete the knocks that expire first; ids break ties.
-- KEYS  meta, knocks
-- ARGV  knock, its row, now (ms), maximum number of knocks
-- Returns {DONE}, or {NONE} if there is no such room. A row begins with the time of its expiry (ms).
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {'NONE'}
end

local rows, kept = redis.call('HGETALL', KEYS[2]), {}
for i = 1, #rows, 2 do
  local over = tonumber(string.match(rows[i + 1], '^%d+'))
  if over <= tonumber(ARGV[3]) then
    redis.call('HDEL', KEYS[2], rows[i])
  elseif rows[i] ~= ARGV[1] then
    kept[#kept + 1] = {over, rows[i]}
  end
end
table.sort(kept, function(one, other)
  return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2])
end)
for i = 1, #kept - tonumber(ARGV[4]) + 1 do
  redis.call('HDEL', KEYS[2], kept[i][2])
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return {'DONE'}
