-- Delete a token and the time of its last use.
-- KEYS  meta, tokens, uses
-- ARGV  token hash
-- Returns {DONE, number of deleted tokens}.
if redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then
  return {'DONE', 0}
end
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('HINCRBY', KEYS[1], 'tokens_version', 1)
return {'DONE', 1}
