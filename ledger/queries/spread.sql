-- name: ListSpreads :many
SELECT * FROM spread ORDER BY channel_id, change;

-- name: SpreadsOf :many
SELECT * FROM spread WHERE channel_id = ? ORDER BY change;

-- name: SpreadsOfChange :many
SELECT * FROM spread WHERE change = ? ORDER BY channel_id;

-- name: SetSpreads :exec
UPDATE spread SET state = sqlc.arg(state), until = NULL WHERE change = sqlc.arg(change);

-- name: PutSpread :exec
INSERT INTO spread (channel_id, change, sequence, until, state, stock, rates, sample) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (channel_id, change) DO UPDATE SET until = excluded.until, state = excluded.state, stock = excluded.stock, rates = excluded.rates, sample = excluded.sample;

-- name: DeleteSpread :exec
DELETE FROM spread WHERE channel_id = ? AND change = ?;

-- What was kept back is told, or judged again.
-- name: ReleaseStock :exec
UPDATE stock_cell SET state = 2, dirty = 1, want_seq = sqlc.arg(sequence) WHERE channel_id = sqlc.arg(channel_id) AND state = 4;

-- name: ReleaseProducts :exec
UPDATE price_cell SET
    closures_want_seq = CASE closures_state WHEN 4 THEN sqlc.arg(sequence) ELSE closures_want_seq END,
    closures_state = CASE closures_state WHEN 4 THEN 2 ELSE closures_state END,
    price_want_seq = CASE price_state WHEN 4 THEN sqlc.arg(sequence) ELSE price_want_seq END,
    price_state = CASE price_state WHEN 4 THEN 2 ELSE price_state END, dirty = 1
WHERE channel_id = sqlc.arg(channel_id) AND (closures_state = 4 OR price_state = 4);

-- Of what was kept back a closing may have been refused.
-- name: ReleaseClosings :exec
UPDATE price_cell SET closures_want_seq = sqlc.arg(sequence), closures_state = 2, dirty = 1
WHERE price_cell.channel_id = sqlc.arg(channel_id) AND price_cell.closures_state = 3
    AND price_cell.line IN (SELECT p.line FROM price_cell p INDEXED BY price_cell_rejected
        WHERE p.channel_id = sqlc.arg(channel_id) AND (p.closures_state = 3 OR p.lengths_state = 3 OR p.price_state = 3));

-- name: ReleaseGuests :exec
UPDATE occupancy_cell SET state = 2, dirty = 1, want_seq = sqlc.arg(sequence) WHERE channel_id = sqlc.arg(channel_id) AND state = 4;
