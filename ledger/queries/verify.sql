-- Of what is read here alone everything is compared with the journal.

-- name: AllReservations :many
SELECT * FROM reservation WHERE property_id = ?;

-- name: AllReservationTags :many
SELECT tag, reservation_id FROM reservation_tag WHERE property_id = ?;

-- name: AllRevisions :many
SELECT v.reservation_id, v.sequence FROM reservation r JOIN reservation_revision v ON v.reservation_id = r.id
WHERE r.property_id = ?;

-- name: AllGroups :many
SELECT * FROM reservation_group WHERE property_id = ?;

-- name: AllForeignNights :many
SELECT * FROM foreign_night WHERE property_id = ?;
