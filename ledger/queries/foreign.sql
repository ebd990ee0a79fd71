-- name: ForeignNights :many
SELECT night, room_type_id, acknowledged FROM foreign_night
WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- A room that is taken again after it was given back is news to the other system.
-- name: TellForeignNight :exec
INSERT INTO foreign_night (property_id, night, room_type_id, reservation_id, acknowledged) VALUES (?, ?, ?, ?, 0)
ON CONFLICT (property_id, night, room_type_id, reservation_id) DO UPDATE SET acknowledged = 0;

-- name: UntoldForeignNights :many
SELECT night FROM foreign_night WHERE reservation_id = ? AND acknowledged = 0;

-- name: AcknowledgeForeignNights :exec
UPDATE foreign_night SET acknowledged = sqlc.arg(sequence) WHERE reservation_id = sqlc.arg(reservation_id) AND acknowledged = 0;

-- name: ForeignNightsOfReservation :many
SELECT night, room_type_id FROM foreign_night WHERE reservation_id = ? ORDER BY night;

-- name: ForgetForeignNight :exec
DELETE FROM foreign_night WHERE property_id = ? AND night = ? AND room_type_id = ? AND reservation_id = ?;
