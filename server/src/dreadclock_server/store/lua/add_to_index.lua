-- Extend the index of channels, if it ends at the expected entry. If the expected entry is 0, replace the index.
-- KEYS  meta, then the indexes of all channels
-- ARGV  number of the expected entry, number of the last new entry, then for each row: which of KEYS to extend, the
--       row's id, and the name and value of its field
-- Returns {number of the entry at which the index ends now; 0 if it must be rebuilt} or {NOROOM}.
local head = redis.call('HMGET', KEYS[1], 'number', 'indexed')
if not head[1] then
  return {'NOROOM'}
end
if ARGV[1] == '0' then
  redis.call('HSET', KEYS[1], 'indexed', '0') -- first, because it is refused if memory is full, and UNLINK is not
  redis.call('UNLINK', unpack(KEYS, 2))
elseif (head[2] or '0') ~= ARGV[1] then
  return {head[2] or '0'}
end
for i = 3, #ARGV, 4 do
  local row = redis.pcall('XADD', KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
  if type(row) == 'table' and row.err then
    ARGV[2] = '0' -- the index has rows of another log, or the log is damaged
    break
  end
end
redis.call('HSET', KEYS[1], 'indexed', ARGV[2])
return {ARGV[2]}
