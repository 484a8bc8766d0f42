-- Digests by which an edit is found (`store/seals.py`). What was written before has no place in a chain: it begins with
-- a table's next step. The functions are the program's own.

ALTER TABLE game_table ADD COLUMN head BLOB NOT NULL
  DEFAULT X'0000000000000000000000000000000000000000000000000000000000000000'; -- of the chain of its steps
ALTER TABLE game_table ADD COLUMN unsealed INTEGER NOT NULL DEFAULT 0; -- so many of its first records are not in it
ALTER TABLE game_table ADD COLUMN seal BLOB NOT NULL DEFAULT X'';
ALTER TABLE game_table ADD COLUMN listing_seal BLOB NOT NULL DEFAULT X'';
UPDATE game_table SET unsealed = version, seal = table_seal(name, head, version, version, open, deadline_ms),
  listing_seal = listing_seal(name, listing);

ALTER TABLE secret ADD COLUMN seal BLOB NOT NULL DEFAULT X'';
UPDATE secret SET seal = secret_seal((SELECT game_table.name FROM game_table WHERE id = table_id), name, secret);

ALTER TABLE person ADD COLUMN seal BLOB NOT NULL DEFAULT X'';
UPDATE person SET seal = person_seal(id, name, token_hash, language, created_ms);
