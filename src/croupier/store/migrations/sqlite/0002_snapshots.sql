-- The newest snapshot of a table, so that its records need not all be read to take it up again. It can be dropped at any
-- time: the records say all that it says.
CREATE TABLE snapshot (
  table_id INTEGER PRIMARY KEY REFERENCES game_table,
  snapshot BLOB NOT NULL
) STRICT;
