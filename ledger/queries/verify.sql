-- Of what is read here alone everything is compared with the journal.

-- name: AllReservations :many
SELECT * FROM reservation WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after);

-- name: AllReservationTags :many
SELECT tag, reservation_id FROM reservation_tag WHERE property_id = ?;

-- name: AllRevisions :many
SELECT v.reservation_id, v.sequence FROM reservation r JOIN reservation_revision v ON v.reservation_id = r.id
WHERE r.property_id = sqlc.arg(property_id) AND v.sequence > sqlc.arg(after);

-- name: AllGroups :many
SELECT * FROM reservation_group WHERE property_id = sqlc.arg(property_id) AND created_at >= sqlc.arg(since);

-- name: AllForeignNights :many
SELECT n.* FROM foreign_night n JOIN reservation r ON r.id = n.reservation_id
WHERE n.property_id = sqlc.arg(property_id) AND r.created_at >= sqlc.arg(since);
