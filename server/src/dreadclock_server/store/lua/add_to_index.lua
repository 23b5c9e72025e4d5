-- Let the index of channels cover more entries, if it covers those up to where the caller believes.
-- KEYS  meta, then the indexes of all channels
-- ARGV  number of the entry up to which it does, and after this, then place of a key, id of a row, name of its field,
--       what that holds ...
-- Gives {number of the entry up to which it covers them now} or {NOROOM}. From 0 on it is begun anew.
local head = redis.call('HMGET', KEYS[1], 'number', 'indexed')
if not head[1] then
  return {'NOROOM'}
end
if ARGV[1] == '0' then
  redis.call('HSET', KEYS[1], 'indexed', '0') -- refused where there is no memory, which DEL is not
  redis.call('DEL', unpack(KEYS, 2))
elseif (head[2] or '0') ~= ARGV[1] then
  return {head[2] or '0'}
end
for i = 3, #ARGV, 4 do
  local row = redis.pcall('XADD', KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
  if type(row) == 'table' and row.err then
    ARGV[2] = '0' -- it holds rows of another past, or the log is damaged
    break
  end
end
redis.call('HSET', KEYS[1], 'indexed', ARGV[2])
return {ARGV[2]}
