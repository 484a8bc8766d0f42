-- Names are written once and stand for a number everywhere else, so that rows stay small. They sort by their bytes, as
-- in every other store, whatever the database's own collation is.
--
-- There are no foreign keys: each would look a row up for every row written, which costs more than the writing itself.
-- Whoever writes a step has its table and its accounts locked, and the check looks for rows that point nowhere.

CREATE SEQUENCE step_block INCREMENT BY 1000; -- every transaction numbers its steps within a block of its own

CREATE TABLE game_table (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  version bigint NOT NULL DEFAULT 0,
  open boolean NOT NULL DEFAULT true,
  deadline_ms bigint,
  listing bytea NOT NULL DEFAULT '',
  last_step bigint NOT NULL DEFAULT 0 -- also the order in which tables changed
);

CREATE INDEX game_table_due ON game_table (deadline_ms) WHERE open AND deadline_ms IS NOT NULL;

CREATE TABLE record (
  table_id bigint NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  step bigint NOT NULL, -- the order over all tables: a step comes after all that its table and its accounts knew
  at_ms bigint NOT NULL,
  command_id text COLLATE "C",
  record bytea NOT NULL,
  answer bytea NOT NULL,
  PRIMARY KEY (table_id, version)
);

CREATE UNIQUE INDEX record_command ON record (table_id, command_id) WHERE command_id IS NOT NULL;

CREATE TABLE secret (
  table_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  secret bytea NOT NULL,
  PRIMARY KEY (table_id, name)
);

CREATE TABLE account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  chips bigint NOT NULL DEFAULT 0, -- the sum of its entries, so that a balance is read in one step
  entries bigint NOT NULL DEFAULT 0 -- how many there are
) WITH (fillfactor = 50); -- balances change in place

CREATE TABLE entry (
  account_id bigint NOT NULL,
  number bigint NOT NULL, -- an account's entries are numbered 1, 2, 3 …
  table_id bigint NOT NULL,
  version bigint NOT NULL,
  position integer NOT NULL, -- among the entries of its step
  chips bigint NOT NULL,
  PRIMARY KEY (account_id, number)
);

CREATE TABLE person (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  language text NOT NULL,
  created_ms bigint NOT NULL
);
