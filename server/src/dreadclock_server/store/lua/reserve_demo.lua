-- Reserve bytes of the store for a demo room. The limits apply to all demo rooms together, and also to the rooms of the
-- same address and of the same network.
-- KEYS  rows of demo rooms
-- ARGV  room, row (only its bytes, if the room has a row already), limit of all demo rooms if the store has none,
--       now (ms), in how many rooms the story may play ('' for a room that has a row already)
-- Returns {DONE}, {FULL}, or {NONE} if the row is missing.
-- A row is JSON. `bytes`: the reserved bytes. `plays`: the ms until which a process plays the story in the room. `who`:
-- by the HMAC of the opener's address and of its network, how many quarters of everything they may use.
local LEFT = 4 -- for each room in which the story may play, so many other demo rooms may exist
local row, before = cjson.decode(ARGV[2]), redis.call('HGET', KEYS[1], ARGV[1])
local most, now = tonumber(ARGV[5]), tonumber(ARGV[4])
if before then
  local bytes = row.bytes
  row = cjson.decode(before)
  if row.bytes >= bytes then
    return {'DONE'}
  end
  row.bytes = bytes
elseif not most then
  return {'NONE'}
end

local said, limit = redis.pcall('INFO', 'memory'), nil
if type(said) == 'string' then
  limit = tonumber(said:match('maxmemory:(%d+)'))
end
local share = limit and limit > 0 and limit / 8 or tonumber(ARGV[3])

local quarters, bytes, playing, left = {[''] = 4}, {}, {}, {} -- by hash; '' stands for all rooms
for hash, times in pairs(row.who) do
  quarters[hash] = times
end
for hash in pairs(quarters) do
  bytes[hash], playing[hash], left[hash] = row.bytes, 0, 0
end
local rows = redis.call('HGETALL', KEYS[1])
for i = 1, #rows, 2 do
  local other = cjson.decode(rows[i + 1])
  other.who[''] = 4
  for hash in pairs(rows[i] ~= ARGV[1] and other.who or {}) do
    if quarters[hash] then
      bytes[hash] = bytes[hash] + other.bytes
      playing[hash] = playing[hash] + (other.plays > now and 1 or 0)
      left[hash] = left[hash] + (other.plays > now and 0 or 1)
    end
  end
end
for hash, times in pairs(quarters) do
  local places = most and (hash == '' and most or math.max(1, math.floor(most / 4)) * times)
  local has_no_place = most and (playing[hash] >= places or left[hash] >= places * LEFT)
  if has_no_place or bytes[hash] > share * times / 4 then
    return {'FULL'}
  end
end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(row))
return {'DONE'}
