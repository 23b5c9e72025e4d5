-- Begin to count a room's bytes, if they are not counted yet and the log ends where the caller believes.
-- KEYS  meta
-- ARGV  number of the log's last entry, public bytes up to there
-- Gives {DONE, public bytes, hidden bytes}, also if they were counted before; {CONFLICT} or {NOROOM}.
local head = redis.call('HMGET', KEYS[1], 'number', 'public', 'hidden')
if not head[1] then
  return {'NOROOM'}
elseif head[2] then
  return {'DONE', head[2], head[3]}
elseif head[1] ~= ARGV[1] then
  return {'CONFLICT'}
end
redis.call('HSET', KEYS[1], 'public', ARGV[2], 'hidden', '0')
return {'DONE', ARGV[2], '0'}
