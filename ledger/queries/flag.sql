-- name: ListFlags :many
SELECT * FROM flag WHERE channel_id = ? ORDER BY part;

-- name: GetFlag :one
SELECT * FROM flag WHERE channel_id = ? AND part = ?;

-- name: PutFlag :exec
INSERT INTO flag (channel_id, part, fault, words, since, last_at, times) VALUES (?, ?, ?, ?, ?, ?, 1)
ON CONFLICT (channel_id, part) DO UPDATE SET fault = excluded.fault, words = excluded.words, last_at = excluded.last_at, times = times + 1;

-- name: DeleteFlag :execrows
DELETE FROM flag WHERE channel_id = ? AND part = ?;
