-- name: GetStanding :one
SELECT * FROM standing WHERE account = ?;

-- name: PutStanding :exec
INSERT INTO standing (account, turn, failures, limited, held_until, cause, since, probe_at, words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (account) DO UPDATE SET turn = excluded.turn, failures = excluded.failures, limited = excluded.limited, held_until = excluded.held_until,
    cause = excluded.cause, since = excluded.since, probe_at = excluded.probe_at, words = excluded.words;

-- name: ChannelsOfAccount :many
SELECT id, property_id, status FROM channel WHERE account = ? AND status <> 'disconnected' ORDER BY id;
