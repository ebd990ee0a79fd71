-- name: InsertLedger :exec
INSERT INTO ledger (one, id, epoch, created_at) VALUES (1, ?, 1, ?);

-- name: GetLedger :one
SELECT id, epoch, created_at FROM ledger WHERE one = 1;

-- name: InsertProperty :exec
INSERT INTO property (id, name, time_zone, currency, country, check_in, check_out, day_roll, horizon_days, status, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetProperty :one
SELECT * FROM property WHERE id = ?;

-- name: ListProperties :many
SELECT * FROM property ORDER BY id;

-- name: InsertPool :exec
INSERT INTO pool (id, property_id, code, name, total_units, own_of, status, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetPool :one
SELECT * FROM pool WHERE id = ?;

-- name: ListPools :many
SELECT * FROM pool WHERE property_id = ? ORDER BY id;

-- name: InsertRoomType :exec
INSERT INTO room_type (id, property_id, code, name, description, base_occupancy, max_adults, max_children, max_occupancy, position, status, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetRoomType :one
SELECT * FROM room_type WHERE id = ?;

-- name: ListRoomTypes :many
SELECT * FROM room_type WHERE property_id = ? ORDER BY position, id;

-- name: InsertDraw :exec
INSERT INTO room_type_draw (room_type_id, entry, pool_id, units) VALUES (?, ?, ?, ?);

-- name: ListDraws :many
SELECT d.room_type_id, d.entry, d.pool_id, d.units FROM room_type_draw d
JOIN room_type r ON r.id = d.room_type_id
WHERE r.property_id = ? ORDER BY d.room_type_id, d.entry;

-- name: InsertRatePlan :exec
INSERT INTO rate_plan (id, property_id, code, name, currency, pricing, meal_plan, tax_mode, derived_from, derive_kind, derive_value, derive_rounding, restrictions, audience, position, status, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetRatePlan :one
SELECT * FROM rate_plan WHERE id = ?;

-- name: ListRatePlans :many
SELECT * FROM rate_plan WHERE property_id = ? ORDER BY position, id;

-- name: InsertRatePlanRoomType :exec
INSERT INTO rate_plan_room_type (rate_plan_id, room_type_id) VALUES (?, ?);

-- name: ListRatePlanRoomTypes :many
SELECT x.rate_plan_id, x.room_type_id FROM rate_plan_room_type x
JOIN rate_plan p ON p.id = x.rate_plan_id
WHERE p.property_id = ? ORDER BY x.rate_plan_id, x.room_type_id;

-- name: InsertRatePlanSeller :exec
INSERT INTO rate_plan_seller (rate_plan_id, seller_id) VALUES (?, ?) ON CONFLICT DO NOTHING;

-- name: ListRatePlanSellers :many
SELECT s.rate_plan_id, s.seller_id FROM rate_plan_seller s
JOIN rate_plan p ON p.id = s.rate_plan_id
WHERE p.property_id = ? ORDER BY s.rate_plan_id, s.seller_id;
