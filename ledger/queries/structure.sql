-- name: InsertLedger :exec
INSERT INTO ledger (one, id, epoch, created_at) VALUES (1, ?, 1, ?);

-- name: GetLedger :one
SELECT id, epoch, created_at FROM ledger WHERE one = 1;

-- name: RaiseEpoch :exec
UPDATE ledger SET epoch = ? WHERE one = 1;

-- name: InsertProperty :exec
INSERT INTO property (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdateProperty :exec
UPDATE property SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetProperty :one
SELECT id, body, created_at, updated_at, revision FROM property WHERE id = ?;

-- name: ListProperties :many
SELECT id, body, created_at, updated_at, revision FROM property ORDER BY id;

-- name: InsertPool :exec
INSERT INTO pool (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdatePool :exec
UPDATE pool SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetPool :one
SELECT id, body, created_at, updated_at, revision FROM pool WHERE id = ?;

-- name: ListPools :many
SELECT id, body, created_at, updated_at, revision FROM pool WHERE property_id = ? ORDER BY id;

-- name: InsertRoomType :exec
INSERT INTO room_type (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdateRoomType :exec
UPDATE room_type SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetRoomType :one
SELECT id, body, created_at, updated_at, revision FROM room_type WHERE id = ?;

-- name: ListRoomTypes :many
SELECT id, body, created_at, updated_at, revision FROM room_type WHERE property_id = ? ORDER BY position, id;

-- name: InsertRatePlan :exec
INSERT INTO rate_plan (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdateRatePlan :exec
UPDATE rate_plan SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetRatePlan :one
SELECT id, body, created_at, updated_at, revision FROM rate_plan WHERE id = ?;

-- name: ListRatePlans :many
SELECT id, body, created_at, updated_at, revision FROM rate_plan WHERE property_id = ? ORDER BY position, id;

-- The first night from a date on that a guest has a room of a type, '' for any.
-- name: NextBookedNight :one
SELECT night FROM reservation_night
WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND (room_type_id = sqlc.arg(room_type_id) OR sqlc.arg(room_type_id) = '')
ORDER BY night LIMIT 1;

-- A channel that was disconnected needs nothing any more.
-- name: ChannelsOf :many
SELECT id FROM channel WHERE property_id = ? AND status <> 'disconnected' ORDER BY id;

-- name: ChannelsOfRoomType :many
SELECT id FROM channel WHERE status <> 'disconnected' AND id IN (SELECT channel_id FROM mapping WHERE room_type_id = ?) ORDER BY id;

-- name: ChannelsOfRatePlan :many
SELECT id FROM channel WHERE status <> 'disconnected' AND id IN (SELECT channel_id FROM mapping WHERE rate_plan_id = ?) ORDER BY id;

-- name: ChannelsOfProduct :many
SELECT id FROM channel WHERE status <> 'disconnected' AND id IN (SELECT channel_id FROM mapping WHERE room_type_id = ? AND rate_plan_id = ?) ORDER BY id;

-- Whether entries of a kind were ever about a night of the subject.
-- name: WasTouched :one
SELECT EXISTS (SELECT 1 FROM touch WHERE kind = ? AND subject = ?);

-- name: InsertPricingRule :exec
INSERT INTO pricing_rule (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdatePricingRule :exec
UPDATE pricing_rule SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: DeletePricingRule :exec
DELETE FROM pricing_rule WHERE id = ?;

-- name: GetPricingRule :one
SELECT id, body, created_at, updated_at, revision FROM pricing_rule WHERE id = ?;

-- name: ListPricingRules :many
SELECT id, body, created_at, updated_at, revision FROM pricing_rule WHERE property_id = ? ORDER BY priority, id;
