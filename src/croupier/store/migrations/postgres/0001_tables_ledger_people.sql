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
  due_minute bigint GENERATED ALWAYS AS (deadline_ms / 60000) STORED,
  listing bytea NOT NULL DEFAULT '',
  last_step bigint NOT NULL DEFAULT 0 -- also the order in which tables changed
) WITH (fillfactor = 50); -- steps change the row in place, which they can while nothing that is indexed changes

-- Deadlines move with every step, but stay in their minute most of the time.
CREATE INDEX game_table_due ON game_table (due_minute) WHERE open AND due_minute IS NOT NULL;

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
) WITH (fillfactor = 50); -- like those

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

-- Locks what a transaction is going to touch, in the order given, and tells it, all in one round trip: tables (number:
-- version, more: 1 when open), accounts (number: chips, more: entries), and commands that were done (number: version).
-- Each statement sees all that was committed before it began, so the commands are looked for when their tables are
-- already locked. What stands in LATERAL is looked up row by row, whatever the planner believes of the tables' sizes.
CREATE FUNCTION lock_rows(tables text[], accounts text[], command_tables text[], command_ids text[])
RETURNS TABLE (kind "char", name text, command_id text, id bigint, number bigint, more bigint, answer bytea)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT 't'::"char", wanted.name, NULL, found.id, found.version, found.open::integer::bigint, NULL::bytea
    FROM unnest(tables) AS wanted (name), LATERAL (
      SELECT id, version, open FROM game_table WHERE game_table.name = wanted.name FOR NO KEY UPDATE
    ) AS found;
  RETURN QUERY SELECT 'a'::"char", wanted.name, NULL, found.id, found.chips, found.entries, NULL::bytea
    FROM unnest(accounts) AS wanted (name), LATERAL (
      SELECT id, chips, entries FROM account WHERE account.name = wanted.name FOR NO KEY UPDATE
    ) AS found;
  RETURN QUERY SELECT 'c'::"char", wanted.name, wanted.command_id, NULL::bigint, found.version, NULL::bigint, found.answer
    FROM unnest(command_tables, command_ids) AS wanted (name, command_id), LATERAL (
      SELECT version, answer FROM record
      WHERE table_id = (SELECT id FROM game_table WHERE game_table.name = wanted.name)
        AND record.command_id = wanted.command_id
      OFFSET 0
    ) AS found;
END
$$;
