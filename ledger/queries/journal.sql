-- name: InsertEntry :exec
INSERT INTO journal (sequence, id, at, property_id, kind, subject, actor, request_id, offers, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: NewestEntry :one
SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1;

-- name: EndOfJournal :one
SELECT sequence, at, hash FROM journal ORDER BY sequence DESC LIMIT 1;

-- The first restore behind a sequence.
-- name: RestoreAfter :one
SELECT body FROM journal WHERE property_id = '' AND sequence > sqlc.arg(after) AND kind = 'ledger.restored' ORDER BY sequence LIMIT 1;

-- name: HeadOf :one
SELECT hash FROM journal WHERE property_id = ? ORDER BY sequence DESC LIMIT 1;

-- name: EntriesAfter :many
SELECT * FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?;

-- name: OffersAfter :many
SELECT * FROM journal WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after) AND offers ORDER BY sequence LIMIT sqlc.arg(at_most);

-- name: NextOffer :one
SELECT sequence FROM journal WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after) AND offers ORDER BY sequence LIMIT 1;

-- name: ChainOf :many
SELECT * FROM journal WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after) ORDER BY sequence LIMIT sqlc.arg(at_most);

-- name: NewestTouch :one
SELECT sequence FROM touch WHERE kind = sqlc.arg(kind) AND subject = sqlc.arg(subject) AND month = sqlc.arg(month) AND sequence <= sqlc.arg(at_most) ORDER BY sequence DESC LIMIT 1;

-- name: GetCursor :one
SELECT sequence, position FROM cursor WHERE reader = ?;

-- name: PutCursor :exec
INSERT INTO cursor (reader, sequence, position) VALUES (?, ?, ?)
ON CONFLICT (reader) DO UPDATE SET sequence = excluded.sequence, position = excluded.position;

-- name: GetEntry :one
SELECT * FROM journal WHERE sequence = ?;

-- The oldest fact whose house values are still to be derived, stock before
-- prices, of the properties that are not stepped over.
-- name: NextDue :one
SELECT reader, sequence, position FROM cursor WHERE reader >= 'house:' AND reader < 'house;'
  AND NOT EXISTS (SELECT 1 FROM json_each(CAST(sqlc.arg(resting) AS TEXT)) p WHERE reader GLOB 'house:*:' || p.value || ':*')
ORDER BY reader >= 'house:stock:' DESC, sequence LIMIT 1;

-- name: DeleteCursor :exec
DELETE FROM cursor WHERE reader = ?;

-- The cursors of all readers whose names lie between two.
-- name: ListCursors :many
SELECT reader, sequence, position FROM cursor WHERE reader >= sqlc.arg(low) AND reader < sqlc.arg(high) ORDER BY sequence;

-- What was said of a property's facts, and of what it is made of, since a point
-- of the journal.
-- name: FactsSince :many
SELECT * FROM journal
WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after)
  AND (kind IN ('stock.changed', 'given.changed', 'shown.changed', 'prices.changed', 'restrictions.changed')
    OR kind GLOB 'property.*' OR kind GLOB 'pool.*' OR kind GLOB 'room_type.*' OR kind GLOB 'rate_plan.*')
ORDER BY sequence;

-- One statement for the months of an entry, given as a JSON list.
-- name: InsertTouches :exec
INSERT INTO touch (kind, subject, month, sequence)
SELECT sqlc.arg(kind), sqlc.arg(subject), value, sqlc.arg(sequence) FROM json_each(sqlc.arg(months)) WHERE true ON CONFLICT DO NOTHING;

-- name: ListChains :many
SELECT id FROM property UNION SELECT '' ORDER BY 1;

-- The newest entry at or before a sequence.
-- name: EntryBefore :one
SELECT sequence, at FROM journal WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1;

-- name: TouchedEntries :many
SELECT j.* FROM touch t CROSS JOIN journal j ON j.sequence = t.sequence
WHERE t.kind = sqlc.arg(kind) AND t.subject = sqlc.arg(subject) AND t.month = sqlc.arg(month) AND t.sequence <= sqlc.arg(through)
ORDER BY t.sequence;

-- What the entries say is left out: it may be long, and only their places are asked for.
-- name: TouchedSubjects :many
SELECT j.sequence, j.kind, j.subject FROM touch t CROSS JOIN journal j ON j.sequence = t.sequence
WHERE t.kind = sqlc.arg(kind) AND t.subject = sqlc.arg(subject) AND t.month = 0 AND t.sequence <= sqlc.arg(through)
ORDER BY t.sequence;

-- name: TouchesBefore :many
SELECT sequence FROM touch
WHERE kind = sqlc.arg(kind) AND subject = sqlc.arg(subject) AND month = sqlc.arg(month) AND sequence < sqlc.arg(before)
ORDER BY sequence DESC LIMIT sqlc.arg(at_most);

-- name: GetEntryByID :one
SELECT * FROM journal WHERE id = ?;

-- name: EntryTimeAfter :one
SELECT sequence, at FROM journal WHERE sequence > ? ORDER BY sequence LIMIT 1;

-- name: GetJournalCut :one
SELECT sequence, earliest, hash FROM journal_cut WHERE property_id = ?;

-- name: PutJournalCut :exec
INSERT INTO journal_cut (property_id, sequence, earliest, hash) VALUES (?, ?, ?, ?)
ON CONFLICT (property_id) DO UPDATE SET sequence = excluded.sequence, earliest = excluded.earliest, hash = excluded.hash;

-- name: ChainBefore :one
SELECT sequence, hash FROM journal WHERE property_id = sqlc.arg(property_id) AND sequence <= sqlc.arg(sequence) ORDER BY sequence DESC LIMIT 1;

-- name: DeleteEntries :exec
DELETE FROM journal WHERE sequence IN (sqlc.slice(sequences));

-- A part of the touch index in its own order, with whether the entry is gone.
-- name: StrayTouches :many
SELECT t.kind, t.subject, t.month, t.sequence, CAST(NOT EXISTS (SELECT 1 FROM journal j WHERE j.sequence = t.sequence) AS BOOLEAN) AS gone
FROM touch t
WHERE (t.kind, t.subject, t.month, t.sequence) > (sqlc.arg(kind), sqlc.arg(subject), CAST(sqlc.arg(month) AS INTEGER), CAST(sqlc.arg(sequence) AS INTEGER))
ORDER BY t.kind, t.subject, t.month, t.sequence LIMIT sqlc.arg(at_most);

-- name: DeleteTouch :exec
DELETE FROM touch WHERE kind = ? AND subject = ? AND month = ? AND sequence = ?;
