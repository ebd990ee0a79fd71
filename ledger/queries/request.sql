-- name: InsertAccessRequest :exec
INSERT INTO access_request (id, status, claim_hash, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: UpdateAccessRequest :exec
UPDATE access_request SET status = ?, body = ?, updated_at = ?, revision = revision + 1 WHERE id = ?;

-- name: GetAccessRequest :one
SELECT * FROM access_request WHERE id = ?;

-- name: ListAccessRequests :many
SELECT * FROM access_request ORDER BY id DESC;

-- name: AccessRequestOf :one
SELECT id FROM access_request WHERE claim_hash = ?;

-- name: AddTraffic :exec
INSERT INTO sandbox_traffic (client_id, day, operation, status, marks, calls) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (client_id, day, operation, status, marks) DO UPDATE SET calls = calls + excluded.calls;

-- name: ListTraffic :many
SELECT * FROM sandbox_traffic WHERE client_id = ?;

-- name: DeleteTraffic :exec
DELETE FROM sandbox_traffic WHERE day < ?;
