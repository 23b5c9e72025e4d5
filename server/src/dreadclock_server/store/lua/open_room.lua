-- Put a room into the store: its secrets, first tokens and first entry, all or nothing.
-- KEYS  meta, log, dice, tokens, uses, snapshot, then the indexes of the channels that have records in the entry
-- ARGV  log id, session key, dice secret, batch id, entry, digest after the entry, public bytes, cap ('' for none),
--       granted bytes of a demo room ('' for other rooms), then for each index: the id of the row, and the name and
--       value of its field, then token hash, value ...
-- Returns {DONE, number, digest}, also if an earlier try has opened the room, or {EXISTS}.
if redis.call('EXISTS', unpack(KEYS)) > 0 then
  local found = redis.call('XRANGE', KEYS[2], '1-0', '1-0')[1]
  if found and found[2][2] == ARGV[4] then
    redis.call('HINCRBY', KEYS[1], 'fence', 1)
    return {'DONE', '1', found[2][4]}
  end
  return {'EXISTS'}
end

redis.call('SET', KEYS[3], ARGV[3])
local place, held = 10, #ARGV[5] + 256 -- append.lua counts the same way
for i = 7, #KEYS do
  redis.call('XADD', KEYS[i], ARGV[place], ARGV[place + 1], ARGV[place + 2])
  held = held + #ARGV[place + 2] + 128
  place = place + 3
end
for i = place, #ARGV, 2 do
  redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1])
end
redis.call('XADD', KEYS[2], '1-0', 'b', ARGV[4], 'd', ARGV[6], 'e', ARGV[5])
redis.call('HSET', KEYS[1], 'number', '1', 'digest', ARGV[6], 'tokens_version', '1', 'indexed', '1',
  'log_id', ARGV[1], 'session_key', ARGV[2], 'public', ARGV[7],
  'hidden', string.format('%.0f', math.max(0, #ARGV[5] - tonumber(ARGV[7]))))
if ARGV[8] ~= '' then
  redis.call('HSET', KEYS[1], 'cap', ARGV[8])
end
if ARGV[9] ~= '' then
  redis.call('HSET', KEYS[1], 'granted', ARGV[9], 'held', held)
end
return {'DONE', '1', ARGV[6]}
