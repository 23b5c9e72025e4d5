-- Add a token for somebody who knocked, and replace the knock's row, if it is the expected row.
-- KEYS  meta, tokens, knocks
-- ARGV  knock, expected row, new row, token hash, value, maximum number of tokens
-- Returns {DONE}, also if an earlier try has done it, {FULL} or {CONFLICT}.
local row = redis.call('HGET', KEYS[3], ARGV[1])
if row == ARGV[3] then
  return {'DONE'}
elseif row ~= ARGV[2] or redis.call('EXISTS', KEYS[1]) == 0 then
  return {'CONFLICT'}
elseif #redis.call('HGETALL', KEYS[2]) / 2 >= tonumber(ARGV[6]) then -- as in put_token.lua
  return {'FULL'}
end
redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
redis.call('HINCRBY', KEYS[1], 'tokens_version', 1)
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
return {'DONE'}
