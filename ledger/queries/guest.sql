-- name: InsertGuest :exec
INSERT INTO guest (id, body, name_key, email_key, phone_key, seal_key, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: UpdateGuest :exec
UPDATE guest SET body = ?, name_key = ?, email_key = ?, phone_key = ?, seal_key = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetGuest :one
SELECT id, body, created_at, updated_at, revision FROM guest WHERE id = ?;

-- name: GetSealKey :one
SELECT seal_key FROM guest WHERE id = ?;

-- Those who may be the same person; of an address that many use, enough to know it.
-- name: GuestsByEmail :many
SELECT id, body, created_at, updated_at, revision FROM guest
WHERE property_id = sqlc.arg(property_id) AND email_key = sqlc.arg(email_key) AND email_key <> ''
ORDER BY id LIMIT 50;

-- name: InsertExternalID :exec
INSERT INTO guest_external_id (property_id, external_id, system, guest_id) VALUES (?, ?, ?, ?);

-- name: GuestByExternalID :one
SELECT guest_id FROM guest_external_id WHERE property_id = ? AND external_id = ? AND system = ?;

-- name: DeleteExternalIDs :exec
DELETE FROM guest_external_id WHERE guest_id = ?;

-- What a guest has booked, the newest stay first.
-- name: BookedByGuest :many
SELECT id, body, created_at, updated_at, revision FROM reservation WHERE guest_id = ? ORDER BY check_in DESC, id DESC;

-- Whether anything but a reservation names its guest: of the same booking, or of
-- another.
-- name: OtherBookings :one
SELECT EXISTS (SELECT 1 FROM reservation r WHERE r.guest_id = sqlc.arg(guest_id) AND r.id <> sqlc.arg(id)
        AND r.channel_id = sqlc.arg(channel_id) AND r.channel_ref = sqlc.arg(channel_ref)) AS in_booking,
    EXISTS (SELECT 1 FROM reservation r WHERE r.guest_id = sqlc.arg(guest_id) AND r.id <> sqlc.arg(id)
        AND (r.channel_id <> sqlc.arg(channel_id) OR r.channel_ref <> sqlc.arg(channel_ref))) AS elsewhere;

-- name: InsertGuestAccess :exec
INSERT INTO guest_access (guest_id, at, request_id, actor, operation) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: GuestAccesses :many
SELECT * FROM guest_access WHERE guest_id = ? ORDER BY at, request_id;

-- name: DeleteGuestAccesses :exec
DELETE FROM guest_access WHERE at < ?;
