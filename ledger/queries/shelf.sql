-- name: GetShelved :one
SELECT body FROM shelf WHERE channel_id = ? AND name = ?;

-- name: PutShelved :exec
INSERT INTO shelf (channel_id, name, body) VALUES (?, ?, ?)
ON CONFLICT (channel_id, name) DO UPDATE SET body = excluded.body;

-- name: ClearShelf :exec
DELETE FROM shelf WHERE channel_id = ?;
