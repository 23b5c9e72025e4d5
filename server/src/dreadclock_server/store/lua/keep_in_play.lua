-- Turn a demo room into an ordinary room. It is not deleted by itself, and only the server's settings limit it.
-- KEYS  in-play, meta
redis.call('HDEL', KEYS[2], 'cap', 'granted', 'held')
redis.call('UNLINK', KEYS[1])
return {'DONE'}
