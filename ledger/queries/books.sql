-- What touches the nights asked for; a stay that was shortened may be paid for nights
-- behind its check-out, which the caller allows for.
-- name: BooksNow :many
SELECT id, created_at, body FROM reservation
WHERE property_id = sqlc.arg(property_id) AND check_out >= sqlc.arg(first) AND check_in <= sqlc.arg(last);

-- name: BooksBookedSince :many
SELECT id, created_at, body FROM reservation WHERE property_id = sqlc.arg(property_id) AND created_at >= sqlc.arg(since);

-- Every reservation as its newest revision up to an entry has it. The dates are those
-- of then, so they are asked of what the entry says.
-- name: BooksAsOf :many
SELECT r.id, r.created_at, CAST(json_extract(j.body, '$.reservation') AS TEXT) AS body
FROM reservation r
CROSS JOIN reservation_revision v ON v.reservation_id = r.id
    AND v.revision = (SELECT max(x.revision) FROM reservation_revision x WHERE x.reservation_id = r.id AND x.sequence <= sqlc.arg(through))
CROSS JOIN journal j ON j.sequence = v.sequence
WHERE r.property_id = sqlc.arg(property_id) AND r.created_at <= sqlc.arg(at)
    AND (j.body ->> '$.reservation.stay.check_out') >= sqlc.arg(first) AND (j.body ->> '$.reservation.stay.check_in') <= sqlc.arg(last);

-- What was imported after an instant, as it came.
-- name: BooksImportedSince :many
SELECT r.id, r.created_at, CAST(json_extract(j.body, '$.reservation') AS TEXT) AS body
FROM reservation r
CROSS JOIN reservation_revision v ON v.reservation_id = r.id AND v.revision = 1
CROSS JOIN journal j ON j.sequence = v.sequence
WHERE r.property_id = sqlc.arg(property_id) AND r.created_at > sqlc.arg(at) AND (j.body ->> '$.reservation.imported') = 1
    AND (j.body ->> '$.reservation.stay.check_out') >= sqlc.arg(first) AND (j.body ->> '$.reservation.stay.check_in') <= sqlc.arg(last);
