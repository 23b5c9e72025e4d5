-- Forget silent nodes, unless they spoke again since they were found silent.
-- KEYS  here
-- ARGV  node, what it said ...
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return {'DONE'}
