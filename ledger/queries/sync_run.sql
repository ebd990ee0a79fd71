-- name: InsertSyncRun :exec
INSERT INTO sync_run (id, channel_id, kind, status, first_night, last_night, sequence_from, sequence_to, planned, sent, calls, acknowledged, unknown, rejected, last_error, started_at, ended_at, updated_at, revision)
VALUES (?, ?, ?, 'queued', ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, '', sqlc.arg(started_at), NULL, sqlc.arg(started_at), 1);

-- name: EndSyncRun :exec
UPDATE sync_run SET status = ?, sequence_to = ?, planned = ?, sent = ?, calls = ?, acknowledged = ?, unknown = ?, rejected = ?, last_error = ?, ended_at = ?, updated_at = ?, revision = revision + 1
WHERE id = ? AND status IN ('queued', 'running');

-- Runs that were under way when the program ended have nobody who ends them.
-- name: EndStaleSyncRuns :exec
UPDATE sync_run SET status = 'failed', last_error = ?, ended_at = ?, updated_at = ?, revision = revision + 1 WHERE status IN ('queued', 'running');

-- name: CalledSince :one
SELECT EXISTS (SELECT 1 FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND sent_at >= sqlc.arg(since)) AS called;

-- name: StartSyncRun :exec
UPDATE sync_run SET status = 'running', updated_at = ?, revision = revision + 1 WHERE id = ? AND status = 'queued';

-- name: GetSyncRun :one
SELECT * FROM sync_run WHERE id = ?;

-- name: ListSyncRuns :many
SELECT * FROM sync_run
WHERE channel_id = sqlc.arg(channel_id) AND id < sqlc.arg(before) AND started_at >= sqlc.arg(since)
    AND (CAST(sqlc.arg(kinds) AS TEXT) = '[]' OR kind IN (SELECT value FROM json_each(CAST(sqlc.arg(kinds) AS TEXT))))
    AND (CAST(sqlc.arg(statuses) AS TEXT) = '[]' OR status IN (SELECT value FROM json_each(CAST(sqlc.arg(statuses) AS TEXT))))
ORDER BY id DESC LIMIT sqlc.arg(at_most);

-- name: CallsSince :many
SELECT * FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND sent_at >= sqlc.arg(since)
    AND kind IN (SELECT value FROM json_each(CAST(sqlc.arg(kinds) AS TEXT))) ORDER BY sent_at, id;

-- name: LastPullError :one
SELECT CAST(COALESCE((SELECT d.error FROM delivery d WHERE d.channel_id = sqlc.arg(channel_id) AND d.kind = 'pull' AND d.sent_at >= sqlc.arg(since)
    ORDER BY d.sent_at DESC LIMIT 1), '') AS TEXT) AS error;

-- The newest call that went wrong, unless one of its kind went well since.
-- name: LastFailure :one
SELECT d.id, d.operation, d.error, d.answered_at, d.state FROM delivery d WHERE d.id IN (
    SELECT (SELECT f.id FROM delivery f
            WHERE f.channel_id = sqlc.arg(channel_id) AND f.kind = json_each.value AND f.state IN ('unknown', 'not_sent', 'rejected', 'partial') AND f.sent_at >= sqlc.arg(since)
              AND f.sent_at >= COALESCE((SELECT MAX(w.sent_at) FROM delivery w WHERE w.channel_id = sqlc.arg(channel_id) AND w.kind = json_each.value AND w.state = 'applied'), 0)
            ORDER BY f.sent_at DESC LIMIT 1)
    FROM json_each('["push", "pull", "list", "read", "ask", "act"]'))
ORDER BY d.sent_at DESC LIMIT 1;
