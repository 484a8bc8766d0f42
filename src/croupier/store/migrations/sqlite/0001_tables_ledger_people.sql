-- Names are written once and stand for a number everywhere else, so that rows stay small.
--
-- A table's records, and an account's entries, are chained: each row names the one before it, and the table or account
-- names the last. An index would find them too, but every table has its own place in an index: two hundred steps would
-- dirty two hundred pages of each, where the chain only adds rows at the end.

CREATE TABLE game_table (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  open INTEGER NOT NULL CHECK (open IN (0, 1)),
  deadline_ms INTEGER,
  listing BLOB NOT NULL,
  last_record_id INTEGER NOT NULL -- also the order in which tables changed
) STRICT;

CREATE INDEX game_table_open ON game_table (name) WHERE open;
CREATE INDEX game_table_due ON game_table (deadline_ms) WHERE open AND deadline_ms IS NOT NULL;

CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL REFERENCES game_table,
  version INTEGER NOT NULL CHECK (version > 0),
  previous_id INTEGER, -- the table's record before this one
  at_ms INTEGER NOT NULL,
  command_id TEXT,
  record BLOB NOT NULL,
  answer BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX record_command ON record (table_id, command_id) WHERE command_id IS NOT NULL;

CREATE TABLE secret (
  table_id INTEGER NOT NULL REFERENCES game_table,
  name TEXT NOT NULL,
  secret BLOB NOT NULL,
  PRIMARY KEY (table_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  chips INTEGER NOT NULL, -- the sum of its entries, so that a balance is read in one step
  last_entry_id INTEGER NOT NULL
) STRICT;

CREATE TABLE entry (
  id INTEGER PRIMARY KEY,
  record_id INTEGER NOT NULL REFERENCES record,
  account_id INTEGER NOT NULL REFERENCES account,
  previous_id INTEGER, -- the account's entry before this one
  chips INTEGER NOT NULL
) STRICT;

CREATE TABLE person (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  language TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
