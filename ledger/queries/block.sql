-- name: InsertBlock :exec
INSERT INTO block (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdateBlock :exec
UPDATE block SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetBlock :one
SELECT id, body, created_at, updated_at, revision FROM block WHERE id = ?;

-- name: ListBlocks :many
SELECT id, body, created_at, updated_at, revision FROM block WHERE property_id = ? ORDER BY id;

-- name: InsertBlockNight :exec
INSERT INTO block_night (property_id, night, room_type_id, block_id, units, deducts, releases_on) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: DeleteBlockNights :exec
DELETE FROM block_night WHERE block_id = ?;

-- Rooms drawn from a block, by night and room type. They are rows of
-- reservations; there is no counter.
-- name: PickedUp :many
SELECT night, room_type_id, COUNT(*) AS rooms FROM reservation_night WHERE block_id = sqlc.arg(block_id) GROUP BY night, room_type_id;

-- Rooms that blocks take from what is free: the units promised that nobody has
-- picked up. A block from which more was drawn than it has takes none.
-- name: BlockedNights :many
SELECT b.night, b.room_type_id, CAST(SUM(MAX(0, b.units - (
    SELECT COUNT(*) FROM reservation_night r
    WHERE r.property_id = b.property_id AND r.night = b.night AND r.room_type_id = b.room_type_id AND r.block_id = b.block_id
))) AS INTEGER) AS blocked
FROM block_night b
WHERE b.property_id = sqlc.arg(property_id) AND b.night >= sqlc.arg(first) AND b.night <= sqlc.arg(last) AND b.deducts = 1
GROUP BY b.night, b.room_type_id;

-- Blocks with nights that are due to go back.
-- name: ReleasingBlocks :many
SELECT DISTINCT block_id FROM block_night WHERE property_id = sqlc.arg(property_id) AND releases_on <= sqlc.arg(today) ORDER BY block_id;

-- What blocks promise of one night.
-- name: BlocksOn :many
SELECT block_id, room_type_id, units FROM block_night
WHERE property_id = sqlc.arg(property_id) AND night = sqlc.arg(night) AND deducts ORDER BY block_id, room_type_id;

-- name: AllBlockNights :many
SELECT * FROM block_night WHERE property_id = ?;
