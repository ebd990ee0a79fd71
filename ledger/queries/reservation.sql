-- name: InsertReservation :exec
INSERT INTO reservation (id, confirmation, property_id, group_id, block_id, status, hold_expires_at, room_type_id, rate_plan_id, held_room,
    check_in, check_out, guest_id, channel_id, sub_channel, channel_ref, reuse, room_ref, acknowledged, asked_until, body, words, sequence, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: UpdateReservation :exec
UPDATE reservation SET group_id = ?, block_id = ?, guest_id = ?, status = ?, hold_expires_at = ?, room_type_id = ?, rate_plan_id = ?, held_room = ?,
    check_in = ?, check_out = ?, room_ref = ?, acknowledged = ?, asked_until = ?, body = ?, words = ?, sequence = ?, updated_at = ?, revision = ?
WHERE id = ?;

-- An acknowledgement is no revision.
-- name: AcknowledgeReservation :exec
UPDATE reservation SET acknowledged = ?, body = ? WHERE id = ?;

-- name: GetReservation :one
SELECT sqlc.embed(reservation), sqlc.embed(guest) FROM reservation JOIN guest ON guest.id = reservation.guest_id WHERE reservation.id = ?;

-- name: ReservationsOfBooking :many
SELECT sqlc.embed(reservation), sqlc.embed(guest) FROM reservation JOIN guest ON guest.id = reservation.guest_id
WHERE reservation.property_id = ? AND reservation.channel_id = ? AND reservation.channel_ref = ? AND reservation.channel_ref <> ''
ORDER BY reservation.reuse, reservation.id;

-- name: UnmappedReservations :many
SELECT sqlc.embed(reservation), sqlc.embed(guest) FROM reservation JOIN guest ON guest.id = reservation.guest_id
WHERE reservation.property_id = ? AND reservation.channel_id = ? AND reservation.rate_plan_id IS NULL
ORDER BY reservation.id;

-- name: HasUnmapped :one
SELECT EXISTS (SELECT 1 FROM channel c CROSS JOIN reservation r
    WHERE c.id = sqlc.arg(channel_id) AND r.property_id = c.property_id AND r.channel_id = c.id AND r.channel_ref = sqlc.arg(ref) AND r.channel_ref <> '' AND r.rate_plan_id IS NULL) AS unmapped;

-- name: HasReservations :one
SELECT EXISTS (SELECT 1 FROM reservation WHERE property_id = ?) AS booked;

-- name: InsertGroup :exec
INSERT INTO reservation_group (id, property_id, booker, channel_id, sub_channel, channel_ref, reuse, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetGroup :one
SELECT * FROM reservation_group WHERE id = ?;

-- name: TouchGroup :exec
UPDATE reservation_group SET updated_at = ?, revision = revision + 1 WHERE id = ?;

-- name: ReservationsOfGroup :many
SELECT id FROM reservation WHERE group_id = ? ORDER BY id;

-- name: GroupOfBooking :one
SELECT id FROM reservation_group WHERE property_id = ? AND channel_id = ? AND channel_ref = ? AND sub_channel = ? AND reuse = ? AND channel_ref <> '';

-- name: InsertReservationNight :exec
INSERT INTO reservation_night (property_id, night, room_type_id, reservation_id, block_id, held) VALUES (?, ?, ?, ?, ?, ?);

-- name: DeleteReservationNights :many
DELETE FROM reservation_night WHERE reservation_id = ? RETURNING property_id, night, room_type_id, block_id, held;

-- The statuses stand in the statements as they do in the indexes.
-- name: ExpiredReservations :many
SELECT id FROM reservation WHERE status IN ('enquired', 'requested', 'held') AND hold_expires_at <= ? ORDER BY hold_expires_at;

-- name: ArrivingBefore :many
SELECT id FROM reservation WHERE status = 'confirmed' AND property_id = ? AND check_in < ? ORDER BY check_in;

-- name: LeavingBefore :many
SELECT id FROM reservation WHERE status = 'checked_in' AND property_id = ? AND check_out < ? ORDER BY check_out;

-- name: WaitingReservations :many
SELECT id FROM reservation WHERE status = 'waitlisted' AND property_id = ? ORDER BY created_at, id;

-- name: InsertReservationTag :exec
INSERT INTO reservation_tag (property_id, tag, reservation_id) VALUES (?, ?, ?);

-- name: DeleteReservationTag :exec
DELETE FROM reservation_tag WHERE property_id = ? AND tag = ? AND reservation_id = ?;

-- name: InsertGuestSnapshot :exec
INSERT INTO guest_snapshot (reservation_id, revision, guest_id, body) VALUES (?, ?, ?, ?);

-- name: NewestGuestSnapshot :one
SELECT revision FROM guest_snapshot WHERE reservation_id = ? ORDER BY revision DESC LIMIT 1;

-- name: InsertRevision :exec
INSERT INTO reservation_revision (reservation_id, revision, sequence, snapshot) VALUES (?, ?, ?, ?);

-- name: RevisionsOf :many
SELECT v.revision, j.sequence, j.at, j.kind, j.actor, j.body, s.guest_id, s.body AS person
FROM reservation_revision v
JOIN journal j ON j.sequence = v.sequence
JOIN guest_snapshot s ON s.reservation_id = v.reservation_id AND s.revision = v.snapshot
WHERE v.reservation_id = ? ORDER BY v.revision;

-- name: GetIdempotency :one
SELECT * FROM idempotency WHERE client_id = sqlc.arg(client_id) AND method = sqlc.arg(method) AND path = sqlc.arg(path) AND key = sqlc.arg(key) AND expires_at > sqlc.arg(now);

-- A key whose time is over may still stand here; its row is taken over.
-- name: PutIdempotency :exec
INSERT INTO idempotency (client_id, method, path, key, fingerprint, resource_id, refusal, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (client_id, method, path, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, resource_id = excluded.resource_id, refusal = excluded.refusal, expires_at = excluded.expires_at;

-- name: DeleteIdempotency :exec
DELETE FROM idempotency WHERE expires_at <= ?;

-- Who has the rooms of one night.
-- name: TakenOn :many
SELECT n.reservation_id, n.room_type_id, n.held, n.block_id, r.channel_id, r.sequence
FROM reservation_night n JOIN reservation r ON r.id = n.reservation_id
WHERE n.property_id = sqlc.arg(property_id) AND n.night = sqlc.arg(night) ORDER BY n.reservation_id, n.room_type_id;

-- name: TakenNights :many
SELECT night, room_type_id, reservation_id, block_id FROM reservation_night WHERE property_id = ?;

-- Live stays of the same nights by a guest of the same full name or address. What is a
-- column is compared first, and spares looking into the bodies of all the others.
-- name: StaysLike :many
SELECT r.id FROM reservation r JOIN guest g ON g.id = r.guest_id
WHERE r.property_id = sqlc.arg(property_id) AND r.check_in = sqlc.arg(check_in) AND r.check_out = sqlc.arg(check_out) AND r.id <> sqlc.arg(id)
    AND r.status IN ('requested', 'held', 'confirmed', 'checked_in')
    AND (g.name_key = sqlc.arg(name_key) AND g.body ->> 'first_name' <> '' AND lower(g.body ->> 'first_name') = lower(sqlc.arg(first_name))
        OR g.email_key <> '' AND g.email_key = sqlc.arg(email_key))
ORDER BY r.id;

-- What a channel is asked to do with its bookings, and has time to answer. What
-- somebody has to decide about is not asked meanwhile.
-- name: AskedOfChannel :many
SELECT r.id, r.body FROM reservation r WHERE r.channel_id = sqlc.arg(channel_id) AND r.asked_until > sqlc.arg(now) AND NOT EXISTS (
    SELECT 1 FROM conflict c WHERE c.property_id = r.property_id AND c.kind = 'cancel_asked' AND c.topic = r.id AND c.status = 'open'
)
ORDER BY r.asked_until;

-- What a channel has not answered in time, and nobody was told of.
-- name: Unanswered :many
SELECT r.id FROM reservation r WHERE r.channel_id = sqlc.arg(channel_id) AND r.asked_until <= sqlc.arg(now) AND NOT EXISTS (
    SELECT 1 FROM conflict c WHERE c.property_id = r.property_id AND c.kind = 'cancel_asked' AND c.topic = r.id AND c.status = 'open'
);

-- The calls by which an action was asked for since an instant.
-- name: CallsOfAction :one
SELECT COUNT(*) AS calls, CAST(COALESCE(MAX(sent_at), 0) AS INTEGER) AS newest, CAST(COALESCE(SUM(CASE WHEN state IN ('open', 'unknown') THEN 1 ELSE 0 END), 0) AS INTEGER) AS unclear
FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND sent_at >= sqlc.arg(since) AND kind = 'act' AND repeats = sqlc.arg(action);
