-- An account may have a row for every node that moves its chips. Nearly every round pays into or out of the house: if
-- that were one row, each transaction would wait for the commit of the one before, whichever node it is from.

ALTER TABLE account ADD COLUMN part smallint NOT NULL DEFAULT 0; -- the node that writes it has this part to itself
ALTER TABLE account DROP CONSTRAINT account_name_key;
ALTER TABLE account ADD CONSTRAINT account_name_part_key UNIQUE (name, part);

DROP FUNCTION lock_rows;

-- As before, but of every account the given part is locked; a part that is not there yet has no id. What the other
-- parts hold (rest) is read without a lock: it only serves to bound balances.
CREATE FUNCTION lock_rows(
  tables text[], accounts text[], account_part smallint, command_tables text[], command_ids text[]
)
RETURNS TABLE (kind "char", name text, command_id text, id bigint, number bigint, more bigint, answer bytea, rest bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT 't'::"char", wanted.name, NULL, found.id, found.version, found.open::integer::bigint, NULL::bytea, 0::bigint
    FROM unnest(tables) AS wanted (name), LATERAL (
      SELECT id, version, open FROM game_table WHERE game_table.name = wanted.name FOR NO KEY UPDATE
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
