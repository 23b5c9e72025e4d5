-- Return records of one channel, from the log entries that have some.
-- KEYS  log, index of the channel
-- ARGV  seq after which to read, maximum number of entries, bytes after which to stop
-- Returns for each entry: the seq of its last record in the channel, then its records, one per line. The first entry
-- may also have records up to the given seq.
local function cut(number, ranges)
  local entry = redis.call('XRANGE', KEYS[1], number .. '-0', number .. '-0')[1]
  local parts = {}
  for first, last in string.gmatch(ranges, '(%d+)-(%d+)') do
    parts[#parts + 1] = entry and string.sub(entry[2][6], tonumber(first), tonumber(last)) or ''
  end
  return table.concat(parts, '\n')
end

local found, size = {}, 0
local rows = redis.pcall('XRANGE', KEYS[2], string.format('%.0f', tonumber(ARGV[1]) + 1), '+', 'COUNT', ARGV[2])
for _, row in ipairs(rows) do -- no rows if the key is of another type
  local seq, number = string.match(row[1], '^(%d+)-(%d+)$')
  local records = row[2][1] == 't' and row[2][2] or cut(number, row[2][2])
  if size > tonumber(ARGV[3]) then
    break
  end
  size = size + #records
  found[#found + 1] = seq
  found[#found + 1] = records
end
return found
