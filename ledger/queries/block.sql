-- name: InsertBlock :exec
INSERT INTO block (id, body, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?);

-- name: UpdateBlock :exec
UPDATE block SET body = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetBlock :one
SELECT id, body, created_at, updated_at, revision FROM block WHERE id = ?;

-- name: ListBlocks :many
SELECT id, body, created_at, updated_at, revision FROM block WHERE property_id = ? ORDER BY id;

-- name: InsertBlockNight :exec
INSERT INTO block_night (property_id, night, room_type_id, block_id, units, deducts, channel_id, releases_on) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: DeleteBlockNights :exec
DELETE FROM block_night WHERE block_id = ?;

-- Rooms drawn from a block, by night and room type. They are rows of
-- reservations; there is no counter.
-- name: PickedUp :many
SELECT night, room_type_id, COUNT(*) AS rooms FROM reservation_night WHERE block_id = sqlc.arg(block_id) GROUP BY night, room_type_id;

-- Rooms that were sold by the channel of an allotment, or drawn from one of its.
-- name: SoldOfAllotment :many
SELECT n.night, n.room_type_id, COUNT(*) AS rooms FROM reservation_night n JOIN reservation r ON r.id = n.reservation_id
WHERE n.property_id = sqlc.arg(property_id) AND n.night >= sqlc.arg(first) AND n.night <= sqlc.arg(last)
    AND (r.channel_id = sqlc.arg(channel_id) OR n.block_id = sqlc.arg(block_id))
GROUP BY n.night, n.room_type_id;

-- What each channel was promised by contract, and what it has sold or somebody has
-- drawn from it.
-- name: AllottedNights :many
SELECT b.night, b.room_type_id, b.channel_id, CAST(SUM(b.units) AS INTEGER) AS units, (
    SELECT COUNT(*) FROM reservation_night n JOIN reservation r ON r.id = n.reservation_id
    WHERE n.property_id = b.property_id AND n.night = b.night AND n.room_type_id = b.room_type_id
    AND (r.channel_id = b.channel_id OR EXISTS (
        SELECT 1 FROM block_night x WHERE x.property_id = b.property_id AND x.night = b.night AND x.room_type_id = b.room_type_id
        AND x.block_id = n.block_id AND x.channel_id = b.channel_id AND x.deducts = 1
    ))) AS sold
FROM block_night b
WHERE b.property_id = sqlc.arg(property_id) AND b.night >= sqlc.arg(first) AND b.night <= sqlc.arg(last) AND b.deducts = 1 AND b.channel_id <> ''
GROUP BY b.property_id, b.night, b.room_type_id, b.channel_id;

-- Rooms that blocks of no channel take from what is free: the units promised that
-- nobody has picked up. A block from which more was drawn than it has takes none.
-- name: BlockedNights :many
SELECT b.night, b.room_type_id, CAST(SUM(MAX(0, b.units - (
    SELECT COUNT(*) FROM reservation_night r
    WHERE r.property_id = b.property_id AND r.night = b.night AND r.room_type_id = b.room_type_id AND r.block_id = b.block_id
))) AS INTEGER) AS blocked
FROM block_night b
WHERE b.property_id = sqlc.arg(property_id) AND b.night >= sqlc.arg(first) AND b.night <= sqlc.arg(last) AND b.deducts = 1 AND b.channel_id = ''
GROUP BY b.night, b.room_type_id;

-- Blocks with nights that are due to go back.
-- name: ReleasingBlocks :many
SELECT DISTINCT block_id FROM block_night WHERE property_id = sqlc.arg(property_id) AND releases_on <= sqlc.arg(today) ORDER BY block_id;

-- What blocks promise of one night.
-- name: BlocksOn :many
SELECT block_id, room_type_id, units, channel_id FROM block_night
WHERE property_id = sqlc.arg(property_id) AND night = sqlc.arg(night) AND deducts ORDER BY block_id, room_type_id;

-- name: AllBlockNights :many
SELECT * FROM block_night WHERE property_id = ?;
