-- name: ListConsoleUsers :many
SELECT * FROM console_user ORDER BY name;

-- name: GetConsoleUser :one
SELECT * FROM console_user WHERE id = ?;

-- name: GetConsoleUserNamed :one
SELECT * FROM console_user WHERE name = ?;

-- name: UpsertConsoleUser :exec
INSERT INTO console_user (id, name, roles, password, disabled, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, roles = excluded.roles, password = excluded.password, disabled = excluded.disabled, updated_at = excluded.updated_at;

-- name: DeleteConsoleUser :exec
DELETE FROM console_user WHERE id = ?;

-- name: InsertConsoleSession :exec
INSERT INTO console_session (id, hash, user_id, created_at, seen_at, address, agent) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: GetConsoleSession :one
SELECT * FROM console_session WHERE hash = ?;

-- name: ListConsoleSessions :many
SELECT * FROM console_session WHERE user_id = ? ORDER BY created_at DESC, id;

-- name: SeeConsoleSession :exec
UPDATE console_session SET seen_at = ? WHERE id = ?;

-- name: DeleteConsoleSession :exec
DELETE FROM console_session WHERE id = ? AND user_id = ?;

-- name: DeleteConsoleSessionsOf :exec
DELETE FROM console_session WHERE user_id = ?;

-- name: DeleteConsoleSessions :exec
DELETE FROM console_session;

-- name: ForgetConsoleSessions :exec
DELETE FROM console_session WHERE seen_at <= sqlc.arg(seen) OR created_at <= sqlc.arg(made);

-- name: InsertConsoleLink :exec
INSERT INTO console_link (hash, user_id, expires_at) VALUES (?, ?, ?);

-- name: GetConsoleLink :one
SELECT * FROM console_link WHERE hash = ?;

-- name: DeleteConsoleLink :exec
DELETE FROM console_link WHERE hash = ?;

-- name: DeleteConsoleLinksOf :exec
DELETE FROM console_link WHERE user_id = ?;

-- name: DeleteConsoleLinks :exec
DELETE FROM console_link;

-- name: ForgetConsoleLinks :exec
DELETE FROM console_link WHERE expires_at <= sqlc.arg(before);
