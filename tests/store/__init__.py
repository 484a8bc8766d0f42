"""What a store promises (`test_contract`), and what only SQLite can break: files, locks, disks and kills."""
