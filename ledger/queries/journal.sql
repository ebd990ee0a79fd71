-- name: InsertEntry :exec
INSERT INTO journal (sequence, id, at, property_id, kind, subject, actor, request_id, offers, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: NewestEntry :one
SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1;

-- name: HeadOf :one
SELECT hash FROM journal WHERE property_id = ? ORDER BY sequence DESC LIMIT 1;

-- name: EntriesAfter :many
SELECT * FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?;

-- name: OffersAfter :many
SELECT * FROM journal WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after) AND offers ORDER BY sequence LIMIT sqlc.arg(at_most);

-- name: ChainOf :many
SELECT * FROM journal WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after) ORDER BY sequence LIMIT sqlc.arg(at_most);

-- name: InsertTouch :exec
INSERT INTO touch (kind, subject, month, sequence) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: NewestTouch :one
SELECT sequence FROM touch WHERE kind = sqlc.arg(kind) AND subject = sqlc.arg(subject) AND month = sqlc.arg(month) AND sequence <= sqlc.arg(at_most) ORDER BY sequence DESC LIMIT 1;

-- name: GetCursor :one
SELECT sequence, position FROM cursor WHERE reader = ?;

-- name: PutCursor :exec
INSERT INTO cursor (reader, sequence, position) VALUES (?, ?, ?)
ON CONFLICT (reader) DO UPDATE SET sequence = excluded.sequence, position = excluded.position;

-- name: GetEntry :one
SELECT * FROM journal WHERE sequence = ?;

-- The facts whose house values are still to be derived, oldest first.
-- name: NextDue :one
SELECT reader, sequence, position FROM cursor WHERE reader >= 'house:' AND reader < 'house;' ORDER BY sequence LIMIT 1;

-- name: DeleteCursor :exec
DELETE FROM cursor WHERE reader = ?;

-- name: ListDue :many
SELECT reader, sequence, position FROM cursor WHERE reader >= 'house:' AND reader < 'house;' ORDER BY sequence;
