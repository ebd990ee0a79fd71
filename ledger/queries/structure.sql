-- name: InsertLedger :exec
INSERT INTO ledger (one, id, epoch, created_at) VALUES (1, ?, 1, ?);

-- name: GetLedger :one
SELECT id, epoch, created_at FROM ledger WHERE one = 1;

-- name: InsertProperty :exec
INSERT INTO property (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: GetProperty :one
SELECT id, body, created_at, updated_at, revision FROM property WHERE id = ?;

-- name: ListProperties :many
SELECT id, body, created_at, updated_at, revision FROM property ORDER BY id;

-- name: InsertPool :exec
INSERT INTO pool (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: GetPool :one
SELECT id, body, created_at, updated_at, revision FROM pool WHERE id = ?;

-- name: ListPools :many
SELECT id, body, created_at, updated_at, revision FROM pool WHERE property_id = ? ORDER BY id;

-- name: InsertRoomType :exec
INSERT INTO room_type (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: GetRoomType :one
SELECT id, body, created_at, updated_at, revision FROM room_type WHERE id = ?;

-- name: ListRoomTypes :many
SELECT id, body, created_at, updated_at, revision FROM room_type WHERE property_id = ? ORDER BY position, id;

-- name: InsertRatePlan :exec
INSERT INTO rate_plan (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: GetRatePlan :one
SELECT id, body, created_at, updated_at, revision FROM rate_plan WHERE id = ?;

-- name: ListRatePlans :many
SELECT id, body, created_at, updated_at, revision FROM rate_plan WHERE property_id = ? ORDER BY position, id;
