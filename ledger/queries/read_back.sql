-- What a channel showed, on a run of nights.
-- name: ShowStock :exec
UPDATE stock_cell SET shown = sqlc.arg(shown), shown_at = sqlc.arg(at)
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND seller = '' AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: ShowClosures :exec
UPDATE price_cell SET closures_shown = sqlc.arg(shown), shown_at = sqlc.arg(at)
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: ShowLengths :exec
UPDATE price_cell SET lengths_shown = sqlc.arg(shown), shown_at = sqlc.arg(at)
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: ShowPrices :exec
UPDATE price_cell SET price_shown = sqlc.arg(shown), shown_at = sqlc.arg(at)
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: ShowOccupancies :exec
UPDATE occupancy_cell SET shown = sqlc.arg(shown), shown_at = sqlc.arg(at)
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND occupancy = sqlc.arg(occupancy)
    AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- Calls that may have changed what a channel shows while it was read: those under
-- way, those that ended since, and those without a known end that may act still.
-- name: PushesDuring :many
SELECT cells FROM delivery
WHERE channel_id = sqlc.arg(channel_id) AND kind = 'push' AND sent_at >= sqlc.arg(oldest)
    AND (state = 'open' OR answered_at >= sqlc.arg(began) OR state IN ('unknown', 'partial') AND answered_at >= sqlc.arg(dead));

-- The first and the last night of each remote room that anything is known of.
-- name: KnownNights :many
SELECT counter.remote_room, CAST(MIN(s.night) AS INTEGER) AS first_night, CAST(MAX(s.night) AS INTEGER) AS last_night
FROM counter CROSS JOIN stock_cell s ON s.channel_id = counter.channel_id AND s.line = counter.id AND s.seller = ''
WHERE counter.channel_id = sqlc.arg(channel_id) AND s.night >= sqlc.arg(first) GROUP BY counter.remote_room ORDER BY counter.remote_room;

-- Nights on which nobody knows what a channel shows.
-- name: UnknownNights :many
SELECT c.remote_room, s.night FROM stock_cell s JOIN counter c ON c.id = s.line
WHERE s.channel_id = sqlc.arg(channel_id) AND s.night >= sqlc.arg(first) AND s.state = 2
UNION
SELECT m.remote_room, p.night FROM price_cell p JOIN mapping m ON m.id = p.line
WHERE p.channel_id = sqlc.arg(channel_id) AND p.night >= sqlc.arg(first) AND p.dirty AND (p.closures_state = 2 OR p.lengths_state = 2 OR p.price_state = 2)
UNION
SELECT m.remote_room, o.night FROM occupancy_cell o JOIN mapping m ON m.id = o.line
WHERE o.channel_id = sqlc.arg(channel_id) AND o.night >= sqlc.arg(first) AND o.dirty AND o.state = 2
ORDER BY 1, 2;

-- Nights on which a channel is to show no rooms: the ones where a number too many
-- does harm.
-- name: SoldOutNights :many
SELECT counter.remote_room, s.night
FROM counter CROSS JOIN stock_cell s ON s.channel_id = counter.channel_id AND s.line = counter.id AND s.seller = ''
WHERE counter.channel_id = sqlc.arg(channel_id) AND s.night >= sqlc.arg(first) AND s.want = 0
ORDER BY counter.remote_room, s.night;

-- What a counter or a product was seen to show from a night on.
-- name: StockShown :many
SELECT night, CAST(shown AS INTEGER) AS shown FROM stock_cell
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND seller = '' AND night >= sqlc.arg(first) AND shown IS NOT NULL;

-- name: PricesShown :many
SELECT night, CAST(price_shown AS INTEGER) AS shown FROM price_cell
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND price_shown IS NOT NULL;

-- name: OccupanciesShown :many
SELECT night, CAST(shown AS INTEGER) AS shown FROM occupancy_cell
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND occupancy = sqlc.arg(occupancy) AND night >= sqlc.arg(first) AND shown IS NOT NULL;

-- name: Drifts :many
SELECT * FROM drift
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutDrift :exec
INSERT INTO drift (channel_id, line, grp, occupancy, night, verdict, shown, before, again, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (channel_id, line, grp, occupancy, night) DO UPDATE SET
    verdict = excluded.verdict, shown = excluded.shown, before = excluded.before, again = excluded.again, first_at = excluded.first_at, last_at = excluded.last_at;

-- name: DeleteOldDrifts :exec
DELETE FROM drift WHERE last_at < ?;

-- Bookings that ended behind a point of the journal, the newest first.
-- name: CancelledAfter :many
SELECT sequence, body FROM journal
WHERE property_id = sqlc.arg(property_id) AND sequence > sqlc.arg(after) AND kind = 'reservation.cancelled' ORDER BY sequence DESC LIMIT sqlc.arg(at_most);

-- The newest calls that told a channel something.
-- name: NewestPushes :many
SELECT cells FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND kind = 'push' ORDER BY sent_at DESC LIMIT sqlc.arg(at_most);
