-- Store when tokens were last used. Ignores deleted tokens, and times before the stored time.
-- KEYS  tokens, uses
-- ARGV  token hash, ms ...
for i = 1, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then
    local noted = tonumber(redis.call('HGET', KEYS[2], ARGV[i]) or '0')
    if tonumber(ARGV[i + 1]) > noted then
      redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    end
  end
end
return {'DONE'}
