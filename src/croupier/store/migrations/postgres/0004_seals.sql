-- Digests by which an edit is found (`store/seals.py`). What was written before has no place in a chain: it begins with
-- a table's next step. The program fills in the seals of what is there.

ALTER TABLE game_table
  ADD COLUMN head bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'), -- of the chain of its steps
  ADD COLUMN unsealed bigint NOT NULL DEFAULT 0, -- so many of its first records are not in it
  ADD COLUMN seal bytea NOT NULL DEFAULT '',
  ADD COLUMN listing_seal bytea NOT NULL DEFAULT '';
UPDATE game_table SET unsealed = version;
ALTER TABLE secret ADD COLUMN seal bytea NOT NULL DEFAULT '';
ALTER TABLE person ADD COLUMN seal bytea NOT NULL DEFAULT '';

-- As before, but of a table also the head of its chain (answer), and how many records are not in it (rest).
CREATE OR REPLACE FUNCTION lock_rows(
  tables text[], accounts text[], account_part smallint, command_tables text[], command_ids text[]
)
RETURNS TABLE (kind "char", name text, command_id text, id bigint, number bigint, more bigint, answer bytea, rest bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT 't'::"char", wanted.name, NULL, found.id, found.version, found.open::integer::bigint, found.head,
      found.unsealed
    FROM unnest(tables) AS wanted (name), LATERAL (
      SELECT id, version, open, head, unsealed FROM game_table WHERE game_table.name = wanted.name FOR NO KEY UPDATE
    ) AS found;
  RETURN QUERY SELECT 'a'::"char", wanted.name, NULL, found.id, found.chips, found.entries, NULL::bytea, (
      SELECT coalesce(sum(chips), 0)::bigint FROM account WHERE account.name = wanted.name AND part <> account_part
    )
    FROM unnest(accounts) AS wanted (name) LEFT JOIN LATERAL (
      SELECT id, chips, entries FROM account
      WHERE account.name = wanted.name AND part = account_part FOR NO KEY UPDATE
    ) AS found ON true;
  RETURN QUERY SELECT 'c'::"char", wanted.name, wanted.command_id, NULL::bigint, found.version, NULL::bigint, found.answer, 0::bigint
    FROM unnest(command_tables, command_ids) AS wanted (name, command_id), LATERAL (
      SELECT version, answer FROM record
      WHERE table_id = (SELECT id FROM game_table WHERE game_table.name = wanted.name)
        AND record.command_id = wanted.command_id
      OFFSET 0
    ) AS found;
END
$$;
