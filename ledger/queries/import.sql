-- name: GetImportedRow :one
SELECT reservation_id FROM imported_row WHERE property_id = ? AND key = ?;

-- name: InsertImportedRow :exec
INSERT INTO imported_row (property_id, key, reservation_id) VALUES (?, ?, ?);

-- name: InsertPastSales :exec
INSERT INTO past_sales (property_id, night, room_type_id, channel_id, seller, sequence, rooms, revenue, currency)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: NewestPastSales :one
SELECT rooms, revenue, currency FROM past_sales
WHERE property_id = ? AND night = ? AND room_type_id = ? AND channel_id = ? AND seller = ?
ORDER BY sequence DESC LIMIT 1;

-- Every version, the oldest first.
-- name: PastSales :many
SELECT * FROM past_sales
WHERE property_id = ? AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
ORDER BY night, room_type_id, channel_id, seller, sequence;
