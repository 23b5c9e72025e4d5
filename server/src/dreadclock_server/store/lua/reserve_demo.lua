-- Reserve bytes of the store for a demo room, if all demo rooms, and those of who opened this one, stay within bounds.
-- KEYS  rows of demo rooms
-- ARGV  room, row: for a new room all of it, for another one just its bytes, bytes of all demo rooms where the store has
--       no limit, now (ms), for a new room how many may play at a time ('' for another one)
-- Gives {DONE}, {FULL}, or {NONE} if a room that is not new has no row.
-- A row is JSON. bytes: reserved. plays: the ms until which a process says that it tells the story there. who: keyed
-- hashes of the address that opened the room and of its network, each with how many quarters of everything it may have.
local LEFT = 4 -- so many times as many rooms as play may be there without being played
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
