-- name: InsertGuest :exec
INSERT INTO guest (id, property_id, first_name, last_name, email, phone, language, country, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: UpdateGuest :exec
UPDATE guest SET first_name = ?, last_name = ?, email = ?, phone = ?, language = ?, country = ?, updated_at = ?, revision = revision + 1 WHERE id = ?;

-- name: GetGuest :one
SELECT * FROM guest WHERE id = ?;

-- name: InsertReservation :exec
INSERT INTO reservation (id, confirmation, property_id, group_id, status, room_type_id, rate_plan_id, booked_room, held_room,
    check_in, check_out, first_out, adults, children_ages, guest_id, channel_id, channel_ref, room_ref, channel_revision, modified_at, booked_at,
    price_known, currency, total, overbooked, issues, notes, requests, metadata,
    cancelled_at, cancel_reason, cancel_note, cancel_actor, sequence, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: UpdateReservation :exec
UPDATE reservation SET group_id = ?, status = ?, room_type_id = ?, rate_plan_id = ?, booked_room = ?, held_room = ?,
    check_in = ?, check_out = ?, adults = ?, children_ages = ?, channel_revision = ?, modified_at = ?,
    price_known = ?, currency = ?, total = ?, overbooked = ?, issues = ?, notes = ?, requests = ?, metadata = ?,
    cancelled_at = ?, cancel_reason = ?, cancel_note = ?, cancel_actor = ?, sequence = ?, updated_at = ?, revision = ?
WHERE id = ?;

-- name: GetReservation :one
SELECT sqlc.embed(reservation), sqlc.embed(guest) FROM reservation JOIN guest ON guest.id = reservation.guest_id WHERE reservation.id = ?;

-- name: ReservationsOfBooking :many
SELECT sqlc.embed(reservation), sqlc.embed(guest) FROM reservation JOIN guest ON guest.id = reservation.guest_id
WHERE reservation.property_id = ? AND reservation.channel_id = ? AND reservation.channel_ref = ? AND reservation.channel_ref <> ''
ORDER BY reservation.id;

-- name: InsertReservationPrice :exec
INSERT INTO reservation_price (reservation_id, night, room_type_id, rate_plan_id, amount) VALUES (?, ?, ?, ?, ?);

-- name: DeleteReservationPrices :exec
DELETE FROM reservation_price WHERE reservation_id = ?;

-- name: ReservationPrices :many
SELECT * FROM reservation_price WHERE reservation_id IN (sqlc.slice(ids)) ORDER BY reservation_id, night;

-- name: InsertReservationNight :exec
INSERT INTO reservation_night (property_id, night, room_type_id, reservation_id) VALUES (?, ?, ?, ?);

-- name: DeleteReservationNights :many
DELETE FROM reservation_night WHERE reservation_id = ? RETURNING property_id, night, room_type_id;

-- name: GetIdempotency :one
SELECT * FROM idempotency WHERE client_id = sqlc.arg(client_id) AND method = sqlc.arg(method) AND path = sqlc.arg(path) AND key = sqlc.arg(key) AND expires_at > sqlc.arg(now);

-- A key whose time is over may still stand here; its row is taken over.
-- name: PutIdempotency :exec
INSERT INTO idempotency (client_id, method, path, key, fingerprint, resource_id, refusal, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (client_id, method, path, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, resource_id = excluded.resource_id, refusal = excluded.refusal, expires_at = excluded.expires_at;

-- name: DeleteIdempotency :exec
DELETE FROM idempotency WHERE expires_at <= ?;
