-- Store until when a process plays the story in demo rooms. Ignores rooms without a row.
-- KEYS  rows of demo rooms (see reserve_demo.lua)
-- ARGV  ms, room ...
for i = 2, #ARGV do
  local row = redis.call('HGET', KEYS[1], ARGV[i])
  if row then
    row = cjson.decode(row)
    row.plays = tonumber(ARGV[1])
    redis.call('HSET', KEYS[1], ARGV[i], cjson.encode(row))
  end
end
return {'DONE'}
