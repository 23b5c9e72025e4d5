-- Append one entry to a room's log, if the log ends at the expected position. Also add the entry to the index of
-- channels, if the index covers all entries before it.
-- KEYS  meta, log, then the indexes of the channels that have records in the entry
-- ARGV  expected number, expected digest, batch id, entry, digest after the entry, pub/sub channel, public bytes, then
--       for each index: the id of the row, and the name and value of its field
-- Returns {DONE, number, digest, listeners}, {CONFLICT, number, digest}, {FULL, granted bytes, needed bytes} or
-- {NOROOM}.
-- FULL: a demo room has too few granted bytes. rooms/size.py refuses commands before that, so that no dice are drawn.
-- listeners: how many connections are subscribed to the pub/sub channel; missing if the server does not let us count.
-- Scripts are not rolled back, so all reasons for a refusal are checked before the first write.
local head = redis.call('HMGET', KEYS[1], 'number', 'digest', 'indexed', 'public', 'granted', 'held')
if not head[1] then
  return {'NOROOM'}
end

local heard = redis.pcall('PUBSUB', 'NUMSUB', ARGV[6])
local number = string.format('%.0f', tonumber(ARGV[1]) + 1)
local id = number .. '-0'

if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  local found = redis.call('XRANGE', KEYS[2], id, id)[1]
  if found and found[2][2] == ARGV[3] then
    -- An earlier try has appended this entry, but its reply was lost. Write again, to the counter `fence`: the server
    -- answers a write when it is durable, and then the entry is durable, too.
    redis.call('HINCRBY', KEYS[1], 'fence', 1)
    return {'DONE', number, found[2][4], heard[2]}
  end
  return {'CONFLICT', head[1], head[2]}
end

local hidden = math.max(0, #ARGV[4] - tonumber(ARGV[7]))
local held = head[6]
if head[5] then -- a demo room: count its bytes with overhead, as in open_room.lua
  held = held + #ARGV[4] + 256
  for i = 3, #KEYS do
    held = held + #ARGV[3 * i + 1] + 128
  end
  if held > tonumber(head[5]) then
    return {'FULL', head[5], string.format('%.0f', held)}
  end
end

redis.call('XADD', KEYS[2], id, 'b', ARGV[3], 'd', ARGV[5], 'e', ARGV[4])
local indexed = head[3] or '0'
if indexed == ARGV[1] then
  indexed = number
  for i = 3, #KEYS do
    local row = redis.pcall('XADD', KEYS[i], ARGV[3 * i - 1], ARGV[3 * i], ARGV[3 * i + 1])
    if type(row) == 'table' and row.err then
      indexed = '0' -- it has rows of another log: the next reader rebuilds the index
    end
  end
end
redis.call('HSET', KEYS[1], 'number', number, 'digest', ARGV[5], 'indexed', indexed)
if head[4] then  -- if nothing is counted yet, begin_count.lua counts this entry, too
  redis.call('HINCRBY', KEYS[1], 'public', ARGV[7])
  redis.call('HINCRBY', KEYS[1], 'hidden', string.format('%.0f', hidden))
end
if head[5] then
  redis.call('HSET', KEYS[1], 'held', string.format('%.0f', held))
end
return {'DONE', number, ARGV[5], heard[2]}
