-- Store which seats are connected to a node, and return this for all nodes.
-- KEYS  here
-- ARGV  node, JSON text with its seats ('' if no seat is connected to it)
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return redis.call('HGETALL', KEYS[1])
