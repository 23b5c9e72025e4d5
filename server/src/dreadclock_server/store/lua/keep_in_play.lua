-- Make an ordinary room of a demo room: it stays, and nothing but the server's settings bounds it.
-- KEYS  in-play, meta
redis.call('HDEL', KEYS[2], 'cap', 'granted', 'held')
redis.call('UNLINK', KEYS[1])
return {'DONE'}
