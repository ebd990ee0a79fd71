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
        AND r.channel_id = sqlc.arg(channel_id) AND r.channel_ref = sqlc.arg(channel_ref) AND r.reuse = sqlc.arg(reuse)) AS in_booking,
    EXISTS (SELECT 1 FROM reservation r WHERE r.guest_id = sqlc.arg(guest_id) AND r.id <> sqlc.arg(id)
        AND (r.channel_id <> sqlc.arg(channel_id) OR r.channel_ref <> sqlc.arg(channel_ref) OR r.reuse <> sqlc.arg(reuse))) AS elsewhere;

-- name: InsertPersonalAccess :exec
INSERT INTO personal_access (subject, at, request_id, actor, operation) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: PersonalAccesses :many
SELECT * FROM personal_access WHERE subject = ? ORDER BY at, request_id;

-- name: DeletePersonalAccesses :exec
DELETE FROM personal_access WHERE at < ?;

-- Profiles that came to an end in another, which is never one of them.
-- name: GuestsMergedInto :many
SELECT id, body, created_at, updated_at, revision FROM guest WHERE merged_into = ? ORDER BY id;

-- Bookings of a guest that are not over, those of groups that the guest has booked, and
-- those that the guest comes along with, under whatever profile that was.
-- name: OpenBookings :many
SELECT r.id FROM reservation r
WHERE r.guest_id = sqlc.arg(id) AND r.status IN ('enquired', 'requested', 'held', 'waitlisted', 'confirmed', 'checked_in')
UNION
SELECT r.id FROM guest p JOIN reservation_group g ON g.booker = p.id JOIN reservation r ON r.group_id = g.id
WHERE (p.id = sqlc.arg(id) OR p.merged_into = sqlc.arg(id)) AND r.status IN ('enquired', 'requested', 'held', 'waitlisted', 'confirmed', 'checked_in')
UNION
SELECT r.id FROM guest p JOIN reservation r ON r.property_id = p.property_id JOIN json_each(r.body, '$.additional_guest_ids') AS further
WHERE further.value = p.id AND (p.id = sqlc.arg(id) OR p.merged_into = sqlc.arg(id))
    AND r.status IN ('enquired', 'requested', 'held', 'waitlisted', 'confirmed', 'checked_in');

-- Every reservation that was ever a person's, under whatever profile that was.
-- name: BookingsEverOf :many
SELECT s.reservation_id FROM guest p JOIN guest_snapshot s ON s.guest_id = p.id WHERE p.id = sqlc.arg(id) OR p.merged_into = sqlc.arg(id)
UNION
SELECT r.id FROM guest p JOIN reservation_group g ON g.booker = p.id JOIN reservation r ON r.group_id = g.id
WHERE p.id = sqlc.arg(id) OR p.merged_into = sqlc.arg(id);

-- Every reservation that a person comes along with, under whatever profile.
-- name: AlongWith :many
SELECT DISTINCT r.id FROM guest p JOIN reservation r ON r.property_id = p.property_id JOIN json_each(r.body, '$.additional_guest_ids') AS further
WHERE further.value = p.id AND (p.id = sqlc.arg(id) OR p.merged_into = sqlc.arg(id))
ORDER BY r.id;

-- What a reservation said of a person, under whatever profile that was.
-- name: ForgetSnapshots :exec
UPDATE guest_snapshot SET body = '{"guest":{}}'
WHERE reservation_id = sqlc.arg(reservation_id) AND guest_id IN (SELECT p.id FROM guest p WHERE p.id = sqlc.arg(guest_id) OR p.merged_into = sqlc.arg(guest_id));

-- What was ever written about a reservation but for what is now.
-- name: ForgetWords :exec
UPDATE guest_snapshot SET body = json_object('guest', json(body -> 'guest'))
WHERE guest_snapshot.reservation_id = sqlc.arg(reservation_id)
    AND guest_snapshot.revision < (SELECT max(s.revision) FROM guest_snapshot s WHERE s.reservation_id = sqlc.arg(reservation_id));

-- One that nobody could read yet may be about another booking that has the reference.
-- The plus keeps SQLite from reading all messages of the channel by their key.
-- name: ForgetMessages :exec
UPDATE message SET raw = zeroblob(0), content = NULL, problem = iif(problem <> '', 'forgotten', '')
WHERE ref = ? AND reuse = ? AND +channel_id = ? AND outcome NOT IN ('unread', 'again');

-- name: ForgetMessage :exec
UPDATE message SET raw = zeroblob(0), problem = 'forgotten' WHERE channel_id = ? AND key = ?;

-- Messages about bookings of which no room is or ever was somebody else's, under
-- whatever profile it was the guest's: they name whoever had it then.
-- name: MessagesOfGuest :many
SELECT DISTINCT m.channel_id, m.key, m.ref, m.received_at, m.raw
FROM reservation r JOIN message m ON m.ref = r.channel_ref AND m.reuse = r.reuse AND +m.channel_id = r.channel_id
WHERE r.guest_id = ? AND r.channel_ref <> '' AND NOT EXISTS (
    SELECT 1 FROM reservation o JOIN guest_snapshot s ON s.reservation_id = o.id JOIN guest p ON p.id = s.guest_id
    WHERE o.property_id = r.property_id AND o.channel_id = r.channel_id AND o.channel_ref = r.channel_ref AND o.reuse = r.reuse AND o.channel_ref <> ''
        AND p.id <> r.guest_id AND p.merged_into IS NOT r.guest_id)
ORDER BY m.received_at, m.key;

-- Whoever was forgotten, also as part of another.
-- name: ForgottenGuests :many
SELECT id FROM guest WHERE status = 'anonymized' OR merged_into IN (SELECT id FROM guest WHERE status = 'anonymized');
