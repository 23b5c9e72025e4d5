-- Note what a node says of who is here, and tell what all nodes have said.
-- KEYS  here
-- ARGV  node, what it says: '' if nobody is here through it
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return redis.call('HGETALL', KEYS[1])
