-- name: PutConflict :exec
INSERT INTO conflict (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at, revision = excluded.revision;

-- name: GetConflict :one
SELECT id, body, created_at, updated_at, revision FROM conflict WHERE id = ?;

-- name: OpenConflict :one
SELECT id, body, created_at, updated_at, revision FROM conflict
WHERE property_id = ? AND kind = ? AND topic = ? AND status = 'open';

-- name: OpenConflicts :many
SELECT id, body, created_at, updated_at, revision FROM conflict INDEXED BY conflict_open WHERE property_id = ? AND kind = ? AND status = 'open' ORDER BY id;

-- name: OpenConflictsOf :many
SELECT id, body, created_at, updated_at, revision FROM conflict INDEXED BY conflict_open WHERE property_id = ? AND status = 'open' ORDER BY id;

-- Those that were there at an instant, and were not settled long before.
-- name: ConflictsAt :many
SELECT id, body, created_at, updated_at, revision FROM conflict INDEXED BY conflict_by_property
WHERE property_id = sqlc.arg(property_id) AND created_at <= sqlc.arg(at) AND (status = 'open' OR updated_at > sqlc.arg(at)) ORDER BY id;

-- The newest first.
-- name: ListConflicts :many
SELECT id, body, created_at, updated_at, revision FROM conflict
WHERE property_id = sqlc.arg(property_id) AND id < sqlc.arg(before) ORDER BY id DESC LIMIT sqlc.arg(at_most);

-- name: CountOpenConflicts :one
SELECT COUNT(*) FROM conflict INDEXED BY conflict_open WHERE property_id = sqlc.arg(property_id) AND status = 'open' AND channel_id = sqlc.arg(channel_id);

-- name: WaitingConflicts :many
SELECT id, body, created_at, updated_at, revision FROM conflict INDEXED BY conflict_waiting WHERE status = 'open' AND deadline IS NOT NULL;

-- The newest first.
-- name: ConflictsOfTopic :many
SELECT id, body, created_at, updated_at, revision FROM conflict
WHERE property_id = sqlc.arg(property_id) AND kind = sqlc.arg(kind) AND topic = sqlc.arg(topic) ORDER BY id DESC LIMIT sqlc.arg(at_most);

-- name: LastConflict :one
SELECT id, body, created_at, updated_at, revision FROM conflict WHERE property_id = ? AND kind = ? AND topic = ? ORDER BY id DESC LIMIT 1;
