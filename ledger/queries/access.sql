-- name: InsertClient :exec
INSERT INTO client (
    id, name, environment, kind, sandbox_id, channel_id, tier, hourly_limit, scopes, property_ids, ip_allowlist, status, created_at, updated_at, revision
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: UpdateClient :exec
UPDATE client SET name = ?, kind = ?, sandbox_id = ?, channel_id = ?, tier = ?, hourly_limit = ?, scopes = ?, property_ids = ?, ip_allowlist = ?, status = ?, updated_at = ?,
    revision = revision + 1
WHERE id = ?;

-- name: TouchClient :exec
UPDATE client SET updated_at = ?, revision = revision + 1 WHERE id = ?;

-- name: ListClientSecrets :many
SELECT id, created_at, expires_at FROM client_secret
WHERE client_id = sqlc.arg(client_id) AND (expires_at IS NULL OR expires_at > CAST(sqlc.arg(at) AS INTEGER)) ORDER BY id;

-- name: EndingSecrets :many
SELECT id, client_id, expires_at, warned FROM client_secret WHERE expires_at <= CAST(sqlc.arg(at) AS INTEGER) ORDER BY expires_at, id;

-- Of clients of a sandbox, those of whose end they were warned.
-- name: WarnedSecrets :many
SELECT s.id, s.client_id, s.expires_at, s.warned FROM client_secret s JOIN client c ON c.id = s.client_id
WHERE c.sandbox_id = sqlc.arg(sandbox_id) AND s.warned > 0 AND s.expires_at > CAST(sqlc.arg(at) AS INTEGER) ORDER BY s.expires_at, s.id;

-- name: WarnOfSecret :exec
UPDATE client_secret SET warned = ? WHERE id = ?;

-- name: DeleteClientSecret :exec
DELETE FROM client_secret WHERE id = ?;

-- name: DeleteTokens :exec
DELETE FROM token;

-- name: DeleteTokensOf :exec
DELETE FROM token WHERE client_id = ?;

-- name: GetClient :one
SELECT * FROM client WHERE id = ?;

-- name: ListClients :many
SELECT * FROM client ORDER BY id;

-- name: InsertClientSecret :exec
INSERT INTO client_secret (id, client_id, hash, created_at, expires_at, warned) VALUES (?, ?, ?, ?, ?, 0);

-- name: ClientSecretHashes :many
SELECT hash FROM client_secret
WHERE client_id = sqlc.arg(client_id) AND (expires_at IS NULL OR expires_at > CAST(sqlc.arg(at) AS INTEGER)) ORDER BY id;

-- name: InsertToken :exec
INSERT INTO token (hash, client_id, scopes, issued_at, expires_at) VALUES (?, ?, ?, ?, ?);

-- name: GetToken :one
SELECT * FROM token WHERE hash = ?;

-- name: DeleteToken :exec
DELETE FROM token WHERE hash = ?;

-- name: DeleteTokensExpiredBefore :exec
DELETE FROM token WHERE expires_at < ?;

-- name: ListRateWindows :many
SELECT * FROM rate_window ORDER BY client_id;

-- name: UpsertRateWindow :exec
INSERT INTO rate_window (client_id, opened_at, used) VALUES (?, ?, ?)
ON CONFLICT (client_id) DO UPDATE SET opened_at = excluded.opened_at, used = excluded.used;
