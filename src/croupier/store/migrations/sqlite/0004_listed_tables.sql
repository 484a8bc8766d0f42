-- The few tables that everybody may find, whose listing has "listed":true, are found without looking at all the others.
-- The index is by name, so steps do not change it.
CREATE INDEX game_table_listed ON game_table (name) WHERE open AND instr(listing, X'226c6973746564223a74727565');
