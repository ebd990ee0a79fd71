-- name: GetNoticeState :one
SELECT * FROM notice_state WHERE property_id = ?;

-- name: PutNoticeState :exec
INSERT INTO notice_state (property_id, through, day) VALUES (sqlc.arg(property_id), sqlc.arg(through), sqlc.arg(day))
ON CONFLICT (property_id) DO UPDATE SET through = excluded.through, day = excluded.day;

-- name: ListNotices :many
SELECT * FROM notice WHERE property_id = ? ORDER BY cause;

-- name: PutNotice :exec
INSERT INTO notice (property_id, cause, kind, since, told) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (property_id, cause) DO UPDATE SET told = excluded.told;

-- name: DeleteNotice :exec
DELETE FROM notice WHERE property_id = ? AND cause = ?;

-- name: InsertNoticeMail :exec
INSERT INTO notice_mail (id, property_id, recipient, form, day, items, created_at, next_at, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0);

-- name: DueNoticeMail :many
SELECT * FROM notice_mail WHERE next_at <= ? ORDER BY next_at LIMIT ?;

-- name: DelayNoticeMail :exec
UPDATE notice_mail SET next_at = ?, attempts = attempts + 1 WHERE id = ?;

-- name: DeleteNoticeMail :exec
DELETE FROM notice_mail WHERE id = ?;

-- Few wait: of the property they are found by looking through all.
-- name: WaitingNoticeMail :many
SELECT * FROM notice_mail WHERE property_id = ? ORDER BY created_at, id LIMIT ?;
