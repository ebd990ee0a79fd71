-- name: InsertAriUpdate :exec
INSERT INTO ari_update (id, property_id, kind, first, sequence, followed, entries, cells_matched, cells_changed, status, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, sqlc.arg(created_at), sqlc.arg(created_at), 1);

-- name: InsertAriUpdateResult :exec
INSERT INTO ari_update_result (update_id, entries) VALUES (?, ?);

-- name: GetAriUpdateResult :one
SELECT entries FROM ari_update_result WHERE update_id = ?;

-- name: GetAriUpdate :one
SELECT * FROM ari_update WHERE id = ?;

-- name: ListAriUpdates :many
SELECT * FROM ari_update
WHERE property_id = sqlc.arg(property_id) AND id > sqlc.arg(after)
  AND (CAST(sqlc.arg(kinds) AS TEXT) = '[]' OR kind IN (SELECT value FROM json_each(CAST(sqlc.arg(kinds) AS TEXT))))
  AND (CAST(sqlc.arg(statuses) AS TEXT) = '[]' OR status IN (SELECT value FROM json_each(CAST(sqlc.arg(statuses) AS TEXT))))
  AND created_at >= sqlc.arg(since)
ORDER BY id LIMIT sqlc.arg(at_most);

-- The newest first, with who asked for each, as long as the journal tells.
-- name: LatestAriUpdates :many
SELECT sqlc.embed(u), CAST(COALESCE(j.actor, '') AS TEXT) AS actor FROM ari_update u LEFT JOIN journal j ON j.sequence = u.sequence AND u.first <= u.sequence
WHERE u.property_id = sqlc.arg(property_id) AND u.id < sqlc.arg(before) ORDER BY u.id DESC LIMIT sqlc.arg(at_most);

-- What follows from the update whose facts end with an entry is derived.
-- name: FollowedAriUpdate :exec
UPDATE ari_update SET followed = sqlc.arg(followed) WHERE property_id = sqlc.arg(property_id) AND sequence = sqlc.arg(sequence) AND status = 'syncing';

-- name: SyncingAriUpdates :many
SELECT * FROM ari_update WHERE status = 'syncing' AND followed IS NOT NULL ORDER BY property_id, id LIMIT sqlc.arg(at_most);

-- name: CompleteAriUpdate :execrows
UPDATE ari_update SET status = sqlc.arg(status) WHERE id = sqlc.arg(id) AND status = 'syncing';

-- name: TouchAriUpdate :exec
UPDATE ari_update SET updated_at = sqlc.arg(updated_at), revision = revision + 1 WHERE id = sqlc.arg(id);

-- name: InsertAriUpdateChannel :execrows
INSERT INTO ari_update_channel (update_id, channel_id, done_at, rejected, held, error_code, error_detail) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: ListAriUpdateChannels :many
SELECT * FROM ari_update_channel WHERE update_id = ?;

-- The subjects of an update.
-- name: FactSubjects :many
SELECT DISTINCT subject FROM journal
WHERE sequence >= sqlc.arg(first) AND sequence <= sqlc.arg(last) AND kind IN ('stock.changed', 'given.changed', 'shown.changed', 'prices.changed', 'restrictions.changed');

-- Cells that a channel refused, of those that wait since an entry between two.
-- name: RejectedBetween :one
SELECT CAST((SELECT COUNT(*) FROM stock_cell s INDEXED BY stock_cell_rejected WHERE s.channel_id = sqlc.arg(channel_id) AND s.state = 3
        AND s.want_seq >= sqlc.arg(first) AND s.want_seq <= sqlc.arg(last))
    + (SELECT COUNT(*) FROM price_cell p INDEXED BY price_cell_rejected WHERE p.channel_id = sqlc.arg(channel_id) AND (p.closures_state = 3 OR p.lengths_state = 3 OR p.price_state = 3)
        AND (p.closures_state = 3 AND p.closures_want_seq >= sqlc.arg(first) AND p.closures_want_seq <= sqlc.arg(last)
          OR p.lengths_state = 3 AND p.lengths_want_seq >= sqlc.arg(first) AND p.lengths_want_seq <= sqlc.arg(last)
          OR p.price_state = 3 AND p.price_want_seq >= sqlc.arg(first) AND p.price_want_seq <= sqlc.arg(last)))
    + (SELECT COUNT(*) FROM occupancy_cell o INDEXED BY occupancy_cell_rejected WHERE o.channel_id = sqlc.arg(channel_id) AND o.state = 3
        AND o.want_seq >= sqlc.arg(first) AND o.want_seq <= sqlc.arg(last)) AS INTEGER) AS cells;

-- Cells that a channel is not sent on purpose, likewise.
-- name: HeldBetween :one
SELECT CAST((SELECT COUNT(*) FROM stock_cell s INDEXED BY stock_cell_held WHERE s.channel_id = sqlc.arg(channel_id) AND s.state = 4
        AND s.want_seq >= sqlc.arg(first) AND s.want_seq <= sqlc.arg(last))
    + (SELECT COUNT(*) FROM price_cell p INDEXED BY price_cell_held WHERE p.channel_id = sqlc.arg(channel_id) AND (p.closures_state = 4 OR p.price_state = 4)
        AND (p.closures_state = 4 AND p.closures_want_seq >= sqlc.arg(first) AND p.closures_want_seq <= sqlc.arg(last)
          OR p.price_state = 4 AND p.price_want_seq >= sqlc.arg(first) AND p.price_want_seq <= sqlc.arg(last)))
    + (SELECT COUNT(*) FROM occupancy_cell o INDEXED BY occupancy_cell_held WHERE o.channel_id = sqlc.arg(channel_id) AND o.state = 4
        AND o.want_seq >= sqlc.arg(first) AND o.want_seq <= sqlc.arg(last)) AS INTEGER) AS cells;
