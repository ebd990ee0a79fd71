-- name: GetImportedRow :one
SELECT reservation_id FROM imported_row WHERE property_id = ? AND key = ?;

-- name: InsertImportedRow :exec
INSERT INTO imported_row (property_id, key, reservation_id) VALUES (?, ?, ?);
