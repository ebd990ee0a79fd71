-- How many conflicts of each kind are open; the index holds no others.
-- name: TallyConflicts :many
SELECT kind, COUNT(*) AS conflicts FROM conflict INDEXED BY conflict_open WHERE status = 'open' GROUP BY kind;

-- How many messages of each channel could not be read; the index holds no others.
-- name: TallyUnread :many
SELECT channel_id, COUNT(*) AS messages FROM message INDEXED BY message_unread WHERE problem <> '' AND outcome <> 'dismissed' GROUP BY channel_id;

-- What waits to be delivered; the index holds nothing else.
-- name: WebhookQueue :one
SELECT COUNT(*) AS deliveries, CAST(COALESCE(MIN(created_at), 0) AS INTEGER) AS oldest FROM webhook_delivery INDEXED BY webhook_delivery_due WHERE status = 'pending';

-- The oldest of a property's channel bookings in a time that nobody has acknowledged.
-- name: OldestUnacknowledged :one
SELECT updated_at FROM reservation INDEXED BY reservation_unacknowledged
WHERE property_id = sqlc.arg(property_id) AND acknowledged < revision AND updated_at > sqlc.arg(after) AND channel_id <> 'direct'
ORDER BY updated_at LIMIT 1;

-- Properties of whose rooms some are granted to channels.
-- name: DealtProperties :many
SELECT property.id FROM property WHERE EXISTS (SELECT 1 FROM party WHERE party.property_id = property.id) ORDER BY property.id;
