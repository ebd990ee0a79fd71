-- name: InsertWebhookEndpoint :exec
INSERT INTO webhook_endpoint (id, client_id, body, headers, status, reason, position, slow, failing_since, last_success, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, 'enabled', '', ?, 0, NULL, NULL, ?, ?, 1);

-- name: UpdateWebhookEndpoint :exec
UPDATE webhook_endpoint SET body = ?, headers = ?, status = ?, reason = ?, slow = ?, failing_since = ?, updated_at = ?, revision = ? WHERE id = ?;

-- name: GetWebhookEndpoint :one
SELECT * FROM webhook_endpoint WHERE id = ?;

-- name: ListWebhookEndpoints :many
SELECT * FROM webhook_endpoint WHERE client_id = ? ORDER BY id;

-- name: AllWebhookEndpoints :many
SELECT * FROM webhook_endpoint WHERE status <> 'disabled' ORDER BY id;

-- name: CountWebhookEndpoints :one
SELECT COUNT(*) FROM webhook_endpoint WHERE client_id = ?;

-- name: DeleteWebhookEndpoint :exec
DELETE FROM webhook_endpoint WHERE id = ?;

-- name: MoveWebhookEndpoint :execrows
UPDATE webhook_endpoint SET position = sqlc.arg(next) WHERE id = sqlc.arg(id) AND position = sqlc.arg(was) AND revision = sqlc.arg(revision);

-- name: WebhookSucceeded :exec
UPDATE webhook_endpoint SET last_success = ?, failing_since = NULL, slow = 0 WHERE id = ?;

-- name: WebhookFailed :exec
UPDATE webhook_endpoint SET failing_since = coalesce(failing_since, sqlc.arg(at)), slow = max(slow, sqlc.arg(slow)) WHERE id = sqlc.arg(id);

-- name: InsertWebhookSecret :exec
INSERT INTO webhook_secret (id, endpoint_id, sealed, created_at, expires_at) VALUES (?, ?, ?, ?, NULL);

-- name: ExpireWebhookSecrets :exec
UPDATE webhook_secret SET expires_at = sqlc.arg(expires_at) WHERE endpoint_id = sqlc.arg(endpoint_id) AND expires_at IS NULL;

-- name: DeleteExpiringWebhookSecrets :exec
DELETE FROM webhook_secret WHERE endpoint_id = ? AND expires_at IS NOT NULL;

-- name: DeleteWebhookSecrets :exec
DELETE FROM webhook_secret WHERE endpoint_id = ?;

-- name: ListWebhookSecrets :many
SELECT * FROM webhook_secret WHERE endpoint_id = ? ORDER BY id DESC;

-- name: InsertWebhookReplay :exec
INSERT INTO webhook_replay (endpoint_id, position, through, event_types, only_failed) VALUES (?, ?, ?, ?, ?);

-- name: GetWebhookReplay :one
SELECT * FROM webhook_replay WHERE endpoint_id = ?;

-- name: MoveWebhookReplay :execrows
UPDATE webhook_replay SET position = sqlc.arg(next) WHERE endpoint_id = sqlc.arg(endpoint_id) AND position = sqlc.arg(was);

-- name: DropWebhookReplay :exec
DELETE FROM webhook_replay WHERE endpoint_id = ?;

-- name: InsertWebhookDelivery :exec
INSERT INTO webhook_delivery (id, endpoint_id, event_id, kind, property_id, subject, first, sequence, status, tries, next_at, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1);

-- A delivery that has not been tried, into which what follows soon may go. The sum
-- keeps the index by time away, in which what fails stands too.
-- name: OpenWebhookDelivery :one
SELECT * FROM webhook_delivery
WHERE endpoint_id = sqlc.arg(endpoint_id) AND kind = sqlc.arg(kind) AND property_id = sqlc.arg(property_id) AND subject = sqlc.arg(subject)
  AND status = 'pending' AND tries = 0 AND next_at + 0 > sqlc.arg(now)
ORDER BY sequence DESC LIMIT 1;

-- name: WidenWebhookDelivery :exec
UPDATE webhook_delivery SET event_id = sqlc.arg(event_id), sequence = sqlc.arg(sequence), updated_at = sqlc.arg(updated_at), revision = revision + 1 WHERE id = sqlc.arg(id);

-- name: GetWebhookDelivery :one
SELECT * FROM webhook_delivery WHERE id = ?;

-- name: WebhookDeliveryOf :one
SELECT * FROM webhook_delivery WHERE endpoint_id = ? AND event_id = ?;

-- name: SetWebhookDelivery :exec
UPDATE webhook_delivery SET status = ?, tries = ?, next_at = ?, updated_at = ?, revision = revision + 1 WHERE id = ?;

-- Those whose time has come, the oldest event first.
-- name: DueWebhookDeliveries :many
SELECT * FROM webhook_delivery WHERE endpoint_id = sqlc.arg(endpoint_id) AND status = 'pending' AND next_at <= sqlc.arg(now)
ORDER BY sequence, id LIMIT sqlc.arg(at_most);

-- name: NextWebhookDelivery :one
SELECT next_at FROM webhook_delivery WHERE endpoint_id = ? AND status = 'pending' ORDER BY next_at LIMIT 1;

-- name: CountWebhookDeliveries :one
SELECT COUNT(*) FROM webhook_delivery WHERE endpoint_id = ? AND status = 'pending';

-- Newest first.
-- name: ListWebhookDeliveries :many
SELECT * FROM webhook_delivery
WHERE endpoint_id = sqlc.arg(endpoint_id) AND id < sqlc.arg(before) AND created_at >= sqlc.arg(since)
  AND (CAST(sqlc.arg(statuses) AS TEXT) = '[]' OR status IN (SELECT value FROM json_each(CAST(sqlc.arg(statuses) AS TEXT))))
  AND (CAST(sqlc.arg(kinds) AS TEXT) = '[]' OR kind IN (SELECT value FROM json_each(CAST(sqlc.arg(kinds) AS TEXT))))
ORDER BY id DESC LIMIT sqlc.arg(at_most);

-- name: InsertWebhookAttempt :exec
INSERT INTO webhook_attempt (id, delivery_id, endpoint_id, at, duration_us, http_status, error, excerpt) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: ListWebhookAttempts :many
SELECT * FROM webhook_attempt WHERE delivery_id = ? ORDER BY id;

-- name: CountWebhookAttempts :one
SELECT COUNT(*) AS tried, CAST(coalesce(sum(http_status BETWEEN 200 AND 299), 0) AS INTEGER) AS well
FROM webhook_attempt WHERE endpoint_id = ? AND at >= ?;

-- Deliveries that nobody can ask for any more, and those that are long over.
-- name: OldWebhookDeliveries :many
SELECT d.id FROM webhook_delivery d
WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoint e WHERE e.id = d.endpoint_id) OR (d.status <> 'pending' AND d.updated_at < sqlc.arg(before))
LIMIT sqlc.arg(at_most);

-- name: DeleteWebhookDeliveries :exec
DELETE FROM webhook_delivery WHERE id IN (sqlc.slice(ids));

-- name: DeleteExpiredWebhookSecrets :exec
DELETE FROM webhook_secret WHERE expires_at < ?;

-- name: EntriesOfSubject :many
SELECT * FROM journal
WHERE property_id = sqlc.arg(property_id) AND sequence >= sqlc.arg(first) AND sequence <= sqlc.arg(through)
  AND kind = sqlc.arg(kind) AND subject = sqlc.arg(subject)
ORDER BY sequence;

-- Channels' bookings that changed between two instants and were neither
-- acknowledged since nor reminded of.
-- name: UnacknowledgedBetween :many
SELECT r.id FROM reservation r
WHERE r.property_id = sqlc.arg(property_id) AND r.acknowledged < r.revision AND r.updated_at > sqlc.arg(after) AND r.updated_at <= sqlc.arg(before)
  AND r.channel_id <> 'direct' AND r.revision > coalesce((SELECT m.revision FROM reminder m WHERE m.reservation_id = r.id), 0)
ORDER BY r.updated_at LIMIT sqlc.arg(at_most);

-- name: PutReminder :exec
INSERT INTO reminder (reservation_id, revision) VALUES (?, ?) ON CONFLICT (reservation_id) DO UPDATE SET revision = excluded.revision;

-- Everything that is kept sealed, and of which client it is.
-- name: SealedWebhookSecrets :many
SELECT webhook_secret.id, webhook_secret.endpoint_id, webhook_secret.sealed, webhook_endpoint.client_id
FROM webhook_secret JOIN webhook_endpoint ON webhook_endpoint.id = webhook_secret.endpoint_id ORDER BY webhook_secret.id;

-- name: SealWebhookSecret :exec
UPDATE webhook_secret SET sealed = ? WHERE id = ?;

-- name: SealedWebhookHeaders :many
SELECT id, client_id, headers FROM webhook_endpoint WHERE headers IS NOT NULL ORDER BY id;

-- name: SealWebhookHeaders :exec
UPDATE webhook_endpoint SET headers = ? WHERE id = ?;
