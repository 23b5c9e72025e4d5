-- Delete the rows of silent nodes, unless a node has replaced its row meanwhile.
-- KEYS  here
-- ARGV  node, expected row ...
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return {'DONE'}
