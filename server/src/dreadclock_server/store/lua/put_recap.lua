-- Store a shared recap, unless there are too many.
-- KEYS  meta, recaps
-- ARGV  secret's hash, value, maximum number of recaps
-- Returns {DONE}, also if an earlier try has done it, {FULL} or {NOROOM}.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {'NOROOM'}
elseif redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 and #redis.call('HGETALL', KEYS[2]) / 2 >= tonumber(ARGV[3]) then
  return {'FULL'}
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return {'DONE'}
