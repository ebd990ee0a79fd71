-- name: InsertChannel :exec
INSERT INTO channel (id, property_id, status, account, settings, body, opening, unproven, poll_cursor, polled_at, read_at, stale_since, error_since, silent_since, version, terms, created_at, updated_at, revision)
VALUES (?, ?, ?, ?, ?, ?, NULL, 0, '', NULL, NULL, NULL, NULL, NULL, 0, '', ?, ?, 1);

-- What a channel has confirmed of its counters, the oldest of each room type: the
-- other columns are those of the row that has it.
-- name: SyncedStock :many
SELECT c.night, counter.room_type_id, c.held_at, CAST(MIN(coalesce(c.held_seq, 0)) AS INTEGER) AS confirmed
FROM counter CROSS JOIN stock_cell c ON c.channel_id = counter.channel_id AND c.line = counter.id AND c.seller = ''
WHERE counter.channel_id = sqlc.arg(channel_id) AND c.night >= sqlc.arg(first) AND c.night <= sqlc.arg(last)
GROUP BY c.night, counter.room_type_id;

-- name: GetChannel :one
SELECT * FROM channel WHERE id = ?;

-- name: ListChannels :many
SELECT * FROM channel ORDER BY id;

-- Channels of which time alone may make something to be told: those that have not read all that
-- they follow, that owe a cell, were out of date when they were last looked at, have nights closed
-- for want of a count or an alarm about what they may sell, or were granted rooms of a guarded
-- pool. Of hundreds that are live and in order none.
-- name: ChannelsToLookAt :many
SELECT * FROM channel c
WHERE c.stale_since IS NOT NULL
    OR EXISTS (SELECT 1 FROM stock_cell s INDEXED BY stock_cell_dirty WHERE s.channel_id = c.id AND s.dirty)
    OR EXISTS (SELECT 1 FROM price_cell p INDEXED BY price_cell_dirty WHERE p.channel_id = c.id AND p.dirty)
    OR EXISTS (SELECT 1 FROM occupancy_cell o INDEXED BY occupancy_cell_dirty WHERE o.channel_id = c.id AND o.dirty)
    OR EXISTS (SELECT 1 FROM price_cell p INDEXED BY price_cell_cut WHERE p.channel_id = c.id AND p.cut_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM party a WHERE a.channel_id = c.id)
    OR EXISTS (SELECT 1 FROM conflict k WHERE k.property_id = c.property_id AND k.kind = sqlc.arg(alarm) AND k.topic = c.id AND k.status = 'open')
    OR EXISTS (
        SELECT 1 FROM journal j WHERE j.property_id = c.property_id AND j.offers AND j.sequence > (
            SELECT COALESCE(MIN(r.sequence), 0) FROM cursor r WHERE r.reader >= 'channel:' || c.id || ':' AND r.reader < 'channel:' || c.id || ';'))
    OR EXISTS (SELECT 1 FROM cursor d WHERE d.reader >= 'house:stock:' || c.property_id || ':' AND d.reader < 'house:stock:' || c.property_id || ';')
    OR EXISTS (SELECT 1 FROM cursor d WHERE d.reader >= 'house:price:' || c.property_id || ':' AND d.reader < 'house:price:' || c.property_id || ';')
ORDER BY c.id;

-- Whether a channel was in error, or its account has trouble with the far side.
-- name: ListTroubled :many
SELECT id, CAST(error_since IS NOT NULL OR EXISTS (SELECT 1 FROM standing s WHERE s.account = channel.account AND s.cause <> '') AS INTEGER) AS troubled
FROM channel ORDER BY id;

-- name: ListChannelsOf :many
SELECT * FROM channel WHERE property_id = ? ORDER BY id;

-- name: UpdateChannel :exec
UPDATE channel SET status = ?, account = ?, settings = ?, body = ?, updated_at = ?, revision = revision + 1 WHERE id = ?;

-- The same settings, sealed otherwise.
-- name: SealSettings :exec
UPDATE channel SET settings = ? WHERE id = ?;

-- What a channel shows is remembered when a pause closes it, once: it may be frozen
-- and closed again.
-- name: RememberShown :exec
UPDATE stock_cell SET before = CASE WHEN state = 0 THEN held ELSE may END WHERE channel_id = sqlc.arg(channel_id) AND before IS NULL;

-- name: ForgetShown :exec
UPDATE stock_cell SET before = NULL WHERE channel_id = ?;

-- Counters that may still show a room.
-- name: Unclosed :one
SELECT COUNT(*) AS cells, CAST(COALESCE(SUM(may), 0) AS INTEGER) AS rooms
FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND (may IS NULL OR may > 0);

-- name: ToldStock :one
SELECT EXISTS (SELECT 1 FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND held IS NOT NULL);

-- Entries about the channel itself that its offers do not follow yet.
-- name: ChannelEntriesAhead :one
SELECT COUNT(*) FROM journal WHERE property_id = sqlc.arg(property_id) AND offers AND sequence > sqlc.arg(after) AND subject = sqlc.arg(channel_id);

-- What a channel shows is put in doubt, so that it is told all of it again. What
-- was in order until then waits for it from this entry on.
-- name: DoubtStock :exec
UPDATE stock_cell SET state = 2, dirty = 1, want_seq = CASE WHEN dirty THEN want_seq ELSE sqlc.arg(sequence) END
WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND state IN (0, 5, 6) AND NOT guarded;

-- Nobody knows any more what counters show, nor what they were told.
-- name: ForgetStock :exec
UPDATE stock_cell SET state = 2, dirty = NOT guarded, want_seq = sqlc.arg(sequence), held = NULL, held_seq = NULL, held_at = NULL, may = NULL,
    before = NULL, shown = NULL, shown_at = NULL, ordered = NULL
WHERE channel_id = sqlc.arg(channel_id);

-- name: ForgetCalls :exec
UPDATE channel SET polled_at = NULL, read_at = NULL, version = version + sqlc.arg(skipped) WHERE id = sqlc.arg(id);

-- name: DoubtPrices :exec
UPDATE price_cell SET dirty = 1,
    closures_want_seq = CASE WHEN closures_state = 0 AND closures_held IS closures_want OR closures_state = 5 AND closures_shown IS closures_want OR closures_state = 6 THEN sqlc.arg(sequence) ELSE closures_want_seq END,
    closures_state = CASE WHEN closures_state IN (0, 5, 6) AND closures_want IS NOT NULL THEN 2 ELSE closures_state END,
    lengths_want_seq = CASE WHEN lengths_state = 0 AND lengths_held IS lengths_want OR lengths_state = 5 AND lengths_shown IS lengths_want OR lengths_state = 6 THEN sqlc.arg(sequence) ELSE lengths_want_seq END,
    lengths_state = CASE WHEN lengths_state IN (0, 5, 6) AND lengths_want IS NOT NULL THEN 2 ELSE lengths_state END,
    price_want_seq = CASE WHEN price_state = 0 AND price_held IS price_want OR price_state = 5 AND price_shown IS price_want OR price_state = 6 THEN sqlc.arg(sequence) ELSE price_want_seq END,
    price_state = CASE WHEN price_state IN (0, 5, 6) AND price_want IS NOT NULL THEN 2 ELSE price_state END
WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
    AND (closures_state IN (0, 5, 6) AND closures_want IS NOT NULL OR lengths_state IN (0, 5, 6) AND lengths_want IS NOT NULL OR price_state IN (0, 5, 6) AND price_want IS NOT NULL);

-- name: DoubtOccupancies :exec
UPDATE occupancy_cell SET state = 2, dirty = 1, want_seq = CASE WHEN dirty THEN want_seq ELSE sqlc.arg(sequence) END
WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND state IN (0, 5, 6) AND want IS NOT NULL;

-- name: TouchChannel :exec
UPDATE channel SET updated_at = ?, revision = revision + 1 WHERE id = ?;

-- name: SetOpening :exec
UPDATE channel SET opening = ? WHERE id = ?;

-- name: SetUnproven :exec
UPDATE channel SET unproven = ? WHERE id = ?;

-- name: SetTerms :exec
UPDATE channel SET terms = ? WHERE id = ?;

-- name: SetPolled :exec
UPDATE channel SET poll_cursor = ?, polled_at = ? WHERE id = ?;

-- name: SetRead :exec
UPDATE channel SET read_at = ? WHERE id = ?;

-- name: SetStale :exec
UPDATE channel SET stale_since = ? WHERE id = ?;

-- name: SetError :exec
UPDATE channel SET error_since = ? WHERE id = ?;

-- name: SetSilent :exec
UPDATE channel SET silent_since = ? WHERE id = ?;

-- name: NewestMessage :one
SELECT received_at FROM message WHERE channel_id = ? AND received_at <= sqlc.arg(now) ORDER BY received_at DESC LIMIT 1;

-- The hours since 1970 in which messages came.
-- name: MessageHours :many
SELECT DISTINCT CAST(received_at / 3600000000 AS INTEGER) AS hour FROM message
WHERE channel_id = sqlc.arg(channel_id) AND received_at >= sqlc.arg(since) ORDER BY hour;

-- name: SetRetry :exec
UPDATE channel SET retry_at = ? WHERE id = ?;

-- name: NextVersion :one
UPDATE channel SET version = version + 1 WHERE id = ? RETURNING version;

-- name: InsertCounter :exec
INSERT INTO counter (channel_id, remote_room, remote_rate, room_type_id, retired) VALUES (?, ?, ?, ?, 0);

-- name: UpdateCounter :execrows
UPDATE counter SET room_type_id = ?, retired = 0 WHERE channel_id = ? AND remote_room = ? AND remote_rate = ?;

-- name: RetireCounters :exec
UPDATE counter SET retired = 1 WHERE channel_id = ?;

-- A code that was never told anything need not be kept closed.
-- name: ListCounters :many
SELECT * FROM counter WHERE counter.channel_id = ?
    AND (retired = 0 OR EXISTS (SELECT 1 FROM stock_cell s WHERE s.channel_id = counter.channel_id AND s.line = counter.id)) ORDER BY id;

-- name: InsertMapping :exec
INSERT INTO mapping (channel_id, remote_room, remote_rate, room_type_id, rate_plan_id, guests, retired) VALUES (?, ?, ?, ?, ?, ?, 0);

-- name: UpdateMapping :execrows
UPDATE mapping SET room_type_id = ?, rate_plan_id = ?, guests = ?, retired = 0 WHERE channel_id = ? AND remote_room = ? AND remote_rate = ?;

-- name: RetireMappings :exec
UPDATE mapping SET retired = 1 WHERE channel_id = ?;

-- name: ListMappings :many
SELECT * FROM mapping WHERE mapping.channel_id = ?
    AND (retired = 0 OR EXISTS (SELECT 1 FROM price_cell p WHERE p.channel_id = mapping.channel_id AND p.line = mapping.id)) ORDER BY id;

-- name: StockCells :many
SELECT * FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND seller = '' AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: DirtyStockCells :many
SELECT * FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND dirty ORDER BY night LIMIT sqlc.arg(at_most);

-- name: PutStockCell :exec
INSERT INTO stock_cell (channel_id, line, seller, night, told, closes, want, want_seq, want_entry, held, held_seq, held_at, may, own_seq, state, guarded, ordered, dirty)
VALUES (?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (channel_id, line, seller, night) DO UPDATE SET
    told = excluded.told, closes = excluded.closes, want = excluded.want, want_seq = excluded.want_seq, want_entry = excluded.want_entry, held = excluded.held, held_seq = excluded.held_seq,
    held_at = excluded.held_at, may = excluded.may, own_seq = excluded.own_seq, state = excluded.state,
    guarded = excluded.guarded, ordered = excluded.ordered, dirty = excluded.dirty;

-- name: PriceCells :many
SELECT * FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- What a channel is to show of the restrictions of products that are mapped there. One
-- that is mapped several times has the first of its mappings.
-- name: WantedRestrictions :many
SELECT mapping.room_type_id, mapping.rate_plan_id, p.night, p.closures_want, p.lengths_want
FROM mapping CROSS JOIN price_cell p ON p.channel_id = mapping.channel_id AND p.line = mapping.id
WHERE mapping.channel_id = sqlc.arg(channel_id) AND mapping.retired = 0 AND p.night >= sqlc.arg(first) AND p.night <= sqlc.arg(last) AND p.closures_want IS NOT NULL
ORDER BY p.line DESC;

-- name: DirtyPriceCells :many
SELECT * FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND dirty ORDER BY night LIMIT sqlc.arg(at_most);

-- Closures that ask for something closed, of which the far side has been told
-- something. Whether they are to be sent is seen by reading them.
-- name: PressingClosures :many
SELECT * FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND dirty AND closures_want <> 0
    AND (closures_held IS NOT NULL OR closures_shown IS NOT NULL OR closures_state = 2) AND closures_state NOT IN (1, 3, 6)
    AND (closures_state <> 0 OR closures_held IS NOT closures_want)
ORDER BY night LIMIT sqlc.arg(at_most);

-- name: PutPriceCell :exec
INSERT INTO price_cell (channel_id, line, night, closures_told, tells, waits, amiss, cut_at, closures_want, closures_asked, closures_want_seq, closures_want_entry, closures_held, closures_held_seq, closures_state,
    lengths_want, lengths_asked, lengths_want_seq, lengths_want_entry, lengths_held, lengths_held_seq, lengths_state,
    price_want, price_asked, price_want_seq, price_want_entry, price_held, price_held_seq, price_state, dirty)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (channel_id, line, night) DO UPDATE SET
    closures_told = excluded.closures_told, tells = excluded.tells, waits = excluded.waits, amiss = excluded.amiss, cut_at = excluded.cut_at,
    closures_want = excluded.closures_want, closures_asked = excluded.closures_asked, closures_want_seq = excluded.closures_want_seq, closures_want_entry = excluded.closures_want_entry,
    closures_held = excluded.closures_held, closures_held_seq = excluded.closures_held_seq, closures_state = excluded.closures_state,
    lengths_want = excluded.lengths_want, lengths_asked = excluded.lengths_asked, lengths_want_seq = excluded.lengths_want_seq, lengths_want_entry = excluded.lengths_want_entry,
    lengths_held = excluded.lengths_held, lengths_held_seq = excluded.lengths_held_seq, lengths_state = excluded.lengths_state,
    price_want = excluded.price_want, price_asked = excluded.price_asked, price_want_seq = excluded.price_want_seq, price_want_entry = excluded.price_want_entry,
    price_held = excluded.price_held, price_held_seq = excluded.price_held_seq, price_state = excluded.price_state,
    dirty = excluded.dirty;

-- name: CutNights :many
SELECT * FROM price_cell WHERE channel_id = ? AND cut_at IS NOT NULL ORDER BY night, line;

-- Closures of which some of what the channel shows is left standing.
-- name: LeftClosures :many
SELECT * FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND (closures_asked IS NOT NULL OR closures_state = 6) ORDER BY night, line;

-- name: OccupancyCells :many
SELECT * FROM occupancy_cell WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: DirtyOccupancyCells :many
SELECT * FROM occupancy_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND dirty ORDER BY night LIMIT sqlc.arg(at_most);

-- name: PutOccupancyCell :exec
INSERT INTO occupancy_cell (channel_id, line, night, occupancy, want, asked, want_seq, want_entry, held, held_seq, state, dirty)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (channel_id, line, night, occupancy) DO UPDATE SET
    want = excluded.want, asked = excluded.asked, want_seq = excluded.want_seq, want_entry = excluded.want_entry, held = excluded.held, held_seq = excluded.held_seq,
    state = excluded.state, dirty = excluded.dirty;

-- How long it took from the oldest change behind a count to the answer that confirmed it.
-- A count that is confirmed keeps the entry of that change until the next. What a guarded
-- pool deals has no such change: it is ordered when it can be paid.
-- name: AcceptedCounts :many
SELECT CAST(s.held_at - j.at AS INTEGER) AS took FROM stock_cell s JOIN journal j ON j.sequence = s.want_seq
WHERE s.channel_id = sqlc.arg(channel_id) AND s.night >= sqlc.arg(first) AND NOT s.guarded AND NOT s.dirty AND s.state = 0 AND s.held_at >= sqlc.arg(since) AND s.held_at >= j.at;

-- The oldest thing that a channel is still to be told, and how much there is.
-- name: StockLag :one
SELECT COUNT(*) AS cells, CAST(COALESCE(MIN(want_seq), 0) AS INTEGER) AS oldest,
    CAST(COALESCE(SUM(state = 2), 0) AS INTEGER) AS unknown
FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND dirty;

-- Of a row only the groups that are dirty themselves count.
-- name: PriceLag :one
SELECT COUNT(*) AS cells,
    CAST(COALESCE(MIN(MIN(
        CASE WHEN closures_want IS NOT NULL AND closures_state NOT IN (3, 4, 6) AND CASE closures_state WHEN 0 THEN closures_held IS NOT closures_want WHEN 5 THEN closures_shown IS NOT closures_want ELSE 1 END THEN closures_want_seq ELSE 9223372036854775807 END,
        CASE WHEN lengths_want IS NOT NULL AND lengths_state NOT IN (3, 4, 6) AND CASE lengths_state WHEN 0 THEN lengths_held IS NOT lengths_want WHEN 5 THEN lengths_shown IS NOT lengths_want ELSE 1 END THEN lengths_want_seq ELSE 9223372036854775807 END,
        CASE WHEN price_want IS NOT NULL AND price_state NOT IN (3, 4, 6) AND CASE price_state WHEN 0 THEN price_held IS NOT price_want WHEN 5 THEN price_shown IS NOT price_want ELSE 1 END THEN price_want_seq ELSE 9223372036854775807 END)), 0) AS INTEGER) AS oldest,
    CAST(COALESCE(SUM(closures_state = 2 OR lengths_state = 2 OR price_state = 2), 0) AS INTEGER) AS unknown
FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND dirty;

-- name: OccupancyLag :one
SELECT COUNT(*) AS cells, CAST(COALESCE(MIN(want_seq), 0) AS INTEGER) AS oldest,
    CAST(COALESCE(SUM(state = 2), 0) AS INTEGER) AS unknown
FROM occupancy_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND dirty;

-- Whether a channel is still to be told anything up to an entry: it ends at the first such
-- thing, where the three above count all there is.
-- name: UntoldThrough :one
SELECT CAST(
    EXISTS (SELECT 1 FROM stock_cell s WHERE s.channel_id = sqlc.arg(channel_id) AND s.night >= sqlc.arg(first) AND s.dirty AND s.want_seq <= sqlc.arg(through))
    OR EXISTS (SELECT 1 FROM occupancy_cell o WHERE o.channel_id = sqlc.arg(channel_id) AND o.night >= sqlc.arg(first) AND o.dirty AND o.want_seq <= sqlc.arg(through))
    OR EXISTS (SELECT 1 FROM price_cell p WHERE p.channel_id = sqlc.arg(channel_id) AND p.night >= sqlc.arg(first) AND p.dirty AND (
        closures_want_seq <= sqlc.arg(through) AND closures_want IS NOT NULL AND closures_state NOT IN (3, 4, 6) AND CASE closures_state WHEN 0 THEN closures_held IS NOT closures_want WHEN 5 THEN closures_shown IS NOT closures_want ELSE 1 END
        OR lengths_want_seq <= sqlc.arg(through) AND lengths_want IS NOT NULL AND lengths_state NOT IN (3, 4, 6) AND CASE lengths_state WHEN 0 THEN lengths_held IS NOT lengths_want WHEN 5 THEN lengths_shown IS NOT lengths_want ELSE 1 END
        OR price_want_seq <= sqlc.arg(through) AND price_want IS NOT NULL AND price_state NOT IN (3, 4, 6) AND CASE price_state WHEN 0 THEN price_held IS NOT price_want WHEN 5 THEN price_shown IS NOT price_want ELSE 1 END))
AS INTEGER) AS untold;

-- name: RejectedCells :one
SELECT CAST((SELECT COUNT(*) FROM stock_cell s WHERE s.channel_id = sqlc.arg(channel_id) AND s.state = 3)
    + (SELECT COUNT(*) FROM price_cell p INDEXED BY price_cell_rejected
        WHERE p.channel_id = sqlc.arg(channel_id) AND (p.closures_state = 3 OR p.lengths_state = 3 OR p.price_state = 3))
    + (SELECT COUNT(*) FROM occupancy_cell o WHERE o.channel_id = sqlc.arg(channel_id) AND o.state = 3) AS INTEGER) AS cells;

-- A count that was refused is told again where the channel may show more.
-- name: RetryStock :execrows
UPDATE stock_cell SET state = 2, dirty = 1, want_seq = sqlc.arg(sequence)
WHERE stock_cell.channel_id = sqlc.arg(channel_id) AND stock_cell.state = 3 AND stock_cell.night >= sqlc.arg(first) AND stock_cell.guarded = 0 AND (may IS NULL OR want < may)
    AND stock_cell.line IN (SELECT s.line FROM stock_cell s WHERE s.channel_id = sqlc.arg(channel_id) AND s.state = 3) AND stock_cell.seller = '';

-- What a counter of a guarded pool refused is ordered anew.
-- name: RetryGuarded :many
UPDATE stock_cell SET state = 2
WHERE stock_cell.channel_id = sqlc.arg(channel_id) AND stock_cell.state = 3 AND stock_cell.night >= sqlc.arg(first) AND stock_cell.guarded
    AND stock_cell.line IN (SELECT s.line FROM stock_cell s WHERE s.channel_id = sqlc.arg(channel_id) AND s.state = 3) AND stock_cell.seller = ''
RETURNING night;

-- So are closures where it may be less closed.
-- name: RetryClosures :execrows
UPDATE price_cell SET closures_state = 2, dirty = 1, closures_want_seq = sqlc.arg(sequence)
WHERE price_cell.channel_id = sqlc.arg(channel_id) AND (price_cell.closures_state = 3 OR price_cell.lengths_state = 3 OR price_cell.price_state = 3)
    AND price_cell.night >= sqlc.arg(first) AND price_cell.closures_state = 3 AND (closures_want & ~COALESCE(closures_held, 0)) <> 0
    AND price_cell.line IN (SELECT p.line FROM price_cell p INDEXED BY price_cell_rejected
        WHERE p.channel_id = sqlc.arg(channel_id) AND (p.closures_state = 3 OR p.lengths_state = 3 OR p.price_state = 3));

-- name: HeldCells :one
SELECT CAST((SELECT COUNT(*) FROM stock_cell s INDEXED BY stock_cell_held WHERE s.channel_id = sqlc.arg(channel_id) AND s.state = 4)
    + (SELECT COALESCE(SUM((p.closures_state = 4) + (p.price_state = 4)), 0) FROM price_cell p INDEXED BY price_cell_held WHERE p.channel_id = sqlc.arg(channel_id) AND (p.closures_state = 4 OR p.price_state = 4))
    + (SELECT COUNT(*) FROM occupancy_cell o WHERE o.channel_id = sqlc.arg(channel_id) AND o.state = 4) AS INTEGER) AS cells;

-- What was held is judged again.
-- name: ReleasePrices :exec
UPDATE price_cell SET price_state = 2, dirty = 1 WHERE channel_id = ? AND (closures_state = 4 OR price_state = 4) AND price_state = 4;

-- name: ReleaseOccupancies :exec
UPDATE occupancy_cell SET state = 2, dirty = 1 WHERE channel_id = ? AND state = 4;

-- Amounts in a currency that the channel is told no more say nothing about those
-- in another.
-- name: ForgetPrices :exec
UPDATE price_cell SET price_want = COALESCE(price_asked, price_want), price_asked = NULL, price_held = NULL, price_held_seq = NULL, price_shown = NULL, price_state = CASE WHEN price_state = 1 THEN 1 ELSE 2 END,
    dirty = max(dirty, price_want IS NOT NULL)
WHERE channel_id = ? AND (price_held IS NOT NULL OR price_state <> 0);

-- name: ForgetOccupancies :exec
UPDATE occupancy_cell SET want = COALESCE(asked, want), asked = NULL, held = NULL, held_seq = NULL, shown = NULL, state = CASE WHEN state = 1 THEN 1 ELSE 2 END, dirty = max(dirty, want IS NOT NULL)
WHERE channel_id = ? AND (held IS NOT NULL OR state <> 0);

-- The prices that a channel last confirmed on the weekday of a night, so many
-- nights around it.
-- name: PricesAround :many
SELECT price_held FROM price_cell
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
    AND night % 7 = sqlc.arg(weekday) AND price_held IS NOT NULL;

-- name: OccupancyPricesAround :many
SELECT held FROM occupancy_cell
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
    AND night % 7 = sqlc.arg(weekday) AND occupancy = sqlc.arg(occupancy) AND held IS NOT NULL;

-- name: InsertDelivery :exec
INSERT INTO delivery (id, channel_id, account, property_id, kind, operation, lane, version, repeats, sequence, state, sent_at, answered_at, cells, refused, unclear, http_status, reference, excerpt, error)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, NULL, ?, '', '', 0, '', '', '');

-- The newest call by which a channel was told anything.
-- name: NewestPush :one
SELECT * FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND sent_at >= sqlc.arg(since) AND kind = 'push' AND state <> 'not_sent'
ORDER BY sent_at DESC, version DESC LIMIT 1;

-- Calls that ended between two instants, and nobody knows how.
-- name: EndedUnclear :many
SELECT state, cells, unclear FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND sent_at >= sqlc.arg(oldest) AND kind = 'push'
    AND state IN ('unknown', 'partial') AND answered_at > sqlc.arg(ended) AND answered_at <= sqlc.arg(till)
ORDER BY version;

-- name: InsertCarried :exec
INSERT INTO carried (channel_id, stock, line, month, version) VALUES (?, ?, ?, ?, ?);

-- The calls that carried nights of a line in a month, the newest first.
-- name: CarriedBefore :many
SELECT carried.version FROM carried CROSS JOIN delivery ON delivery.channel_id = carried.channel_id AND delivery.version = carried.version
WHERE carried.channel_id = sqlc.arg(channel_id) AND carried.stock = sqlc.arg(stock) AND carried.line = sqlc.arg(line)
    AND carried.month = sqlc.arg(month) AND carried.version < sqlc.arg(before)
ORDER BY carried.version DESC LIMIT sqlc.arg(at_most);

-- name: DeliveryOfVersion :one
SELECT * FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND version = sqlc.arg(version);

-- What is told of calls that were removed.
-- name: DeleteCarried :exec
DELETE FROM carried WHERE carried.channel_id = sqlc.arg(channel_id) AND carried.stock = sqlc.arg(stock) AND carried.line = sqlc.arg(line)
    AND carried.version < (SELECT COALESCE(MIN(d.version), 0) FROM delivery d WHERE d.channel_id = carried.channel_id);

-- name: SettleDelivery :exec
UPDATE delivery SET state = ?, answered_at = ?, refused = ?, unclear = ?, http_status = ?, reference = ?, excerpt = ?, error = ? WHERE id = ? AND state = 'open';

-- name: GetDelivery :one
SELECT * FROM delivery WHERE id = ?;

-- Calls of a channel, the newest first.
-- name: ListDeliveries :many
SELECT * FROM delivery WHERE channel_id = sqlc.arg(channel_id) AND version < sqlc.arg(before)
    AND (sqlc.arg(kind) = '' OR kind = sqlc.arg(kind)) AND (sqlc.arg(troubled) = 0 OR state NOT IN ('applied', 'open'))
ORDER BY version DESC LIMIT sqlc.arg(at_most);

-- name: AnswerTimes :many
SELECT sent_at, answered_at FROM delivery
WHERE channel_id = sqlc.arg(channel_id) AND kind = 'push' AND state = 'applied' AND answered_at IS NOT NULL
ORDER BY sent_at DESC LIMIT sqlc.arg(at_most);

-- name: DeliveryState :one
SELECT state FROM delivery WHERE id = ?;

-- name: OpenDeliveries :many
SELECT * FROM delivery WHERE state = 'open' ORDER BY sent_at, id;

-- name: SentSince :many
SELECT property_id, operation, sent_at FROM delivery WHERE account = ? AND sent_at > ? AND state <> 'not_sent' ORDER BY sent_at;

-- Read from the newest call backwards, so that a long history costs nothing.
-- name: LastAnswered :one
SELECT CAST(COALESCE((
    SELECT d.answered_at FROM delivery d WHERE d.channel_id = sqlc.arg(channel_id) AND d.kind = 'push' AND d.state = 'applied' ORDER BY d.sent_at DESC LIMIT 1
), 0) AS INTEGER) AS at;

-- name: DeletePulls :exec
DELETE FROM delivery WHERE kind NOT IN ('push', 'act') AND state <> 'open' AND sent_at < ?;

-- name: InsertMessage :exec
INSERT INTO message (channel_id, key, ref, reuse, ordering, event, at, received_at, outcome, problem, first_sequence, sequence, raw, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetMessage :one
SELECT * FROM message WHERE channel_id = ? AND key = ?;

-- The plus keeps SQLite from reading all messages of the channel by their key.
-- name: AppliedChanges :many
SELECT ordering, at, raw FROM message WHERE ref = ? AND reuse = ? AND +channel_id = ? AND event = 'modified' AND outcome = 'applied';

-- name: IgnoredMessages :many
SELECT key, ordering, event, at, received_at, first_sequence, sequence FROM message
WHERE ref = ? AND reuse = ? AND +channel_id = ? AND outcome = 'ignored' AND event <> '' ORDER BY sequence, received_at, key;

-- What may be of a booking that begins later, the oldest first.
-- name: EarlyMessages :many
SELECT * FROM message WHERE ref = ? AND reuse < ? AND +channel_id = ? AND outcome = 'ignored' AND content IS NOT NULL ORDER BY at, received_at, key;

-- name: PlaceMessage :exec
UPDATE message SET reuse = sqlc.arg(reuse), outcome = sqlc.arg(outcome), first_sequence = sqlc.arg(first_sequence), sequence = sqlc.arg(sequence),
    content = iif(sqlc.arg(outcome) = 'applied', NULL, content)
WHERE channel_id = sqlc.arg(channel_id) AND key = sqlc.arg(key);

-- name: Cancellations :many
SELECT ordering, at FROM message WHERE ref = ? AND reuse = ? AND +channel_id = ? AND event = 'cancelled' AND problem = '';

-- name: BookedBefore :many
SELECT reuse, ordering, at FROM message WHERE ref = ? AND +channel_id = ? AND event = 'booked' AND problem = '' AND key <> ? ORDER BY reuse, at;

-- name: OrderingsOf :many
SELECT ordering FROM message WHERE ref = ? AND reuse = ? AND +channel_id = ?;

-- name: SettleMessage :exec
UPDATE message SET outcome = sqlc.arg(outcome), content = NULL WHERE channel_id = sqlc.arg(channel_id) AND key = sqlc.arg(key) AND outcome = 'waiting';

-- Also those that somebody has dismissed.
-- name: UnreadMessages :many
SELECT * FROM message INDEXED BY message_unread WHERE channel_id = ? AND problem <> '' ORDER BY received_at, key;

-- name: MessagesToReread :many
SELECT * FROM message INDEXED BY message_unread WHERE channel_id = ? AND problem <> '' AND outcome = 'again' ORDER BY received_at, key;

-- name: SetUnread :exec
UPDATE message SET outcome = sqlc.arg(outcome), problem = sqlc.arg(problem) WHERE channel_id = sqlc.arg(channel_id) AND key = sqlc.arg(key) AND problem <> '';

-- name: DeleteUnread :exec
DELETE FROM message WHERE channel_id = ? AND key = ? AND problem <> '';

-- name: OutcomeOfMessage :one
SELECT outcome FROM message WHERE channel_id = ? AND key = ?;

-- name: RetellMessage :exec
UPDATE message SET raw = sqlc.arg(raw) WHERE channel_id = sqlc.arg(channel_id) AND key = sqlc.arg(key);

-- name: BookingsOfReference :many
SELECT * FROM channel_booking WHERE channel_id = ? AND ref = ? ORDER BY reuse;

-- name: PutChannelBooking :exec
INSERT INTO channel_booking (channel_id, ref, reuse, ordering, at, event, group_id) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (channel_id, ref, reuse) DO UPDATE SET ordering = excluded.ordering, at = excluded.at, event = excluded.event, group_id = excluded.group_id;

-- name: StockCellsBetween :many
SELECT * FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND seller = '' AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) ORDER BY line, night;

-- What may be too much: the counters that may show a room while few are left, or on one of
-- the nights named. What is free of a room that the house does not sell is 0.
-- name: CountersShort :many
SELECT sqlc.embed(stock_cell), counter.room_type_id, CAST(COALESCE(house_stock.available, 0) AS INTEGER) AS free
FROM counter CROSS JOIN stock_cell ON stock_cell.channel_id = counter.channel_id AND stock_cell.line = counter.id
LEFT JOIN house_stock ON house_stock.property_id = sqlc.arg(property_id) AND house_stock.night = stock_cell.night AND house_stock.room_type_id = counter.room_type_id
WHERE counter.channel_id = sqlc.arg(channel_id) AND stock_cell.seller = '' AND stock_cell.night >= sqlc.arg(first) AND stock_cell.night <= sqlc.arg(last)
  AND stock_cell.guarded = 0 AND (stock_cell.may IS NULL OR stock_cell.may > 0)
  AND (COALESCE(house_stock.available, 0) <= sqlc.arg(at_most) OR stock_cell.night IN (SELECT value FROM json_each(sqlc.arg(nights))))
ORDER BY stock_cell.line, stock_cell.night;

-- name: PriceCellsBetween :many
SELECT * FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) ORDER BY line, night;

-- name: OccupancyCellsBetween :many
SELECT * FROM occupancy_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) ORDER BY line, night, occupancy;

-- name: OldDeliveries :many
SELECT id FROM delivery WHERE state <> 'open' AND sent_at < ?;

-- name: DeleteDeliveries :exec
DELETE FROM delivery WHERE id IN (sqlc.slice(ids));

-- name: DeleteStockCells :exec
DELETE FROM stock_cell WHERE channel_id = ? AND line = ? AND seller = '' AND night < ?;

-- name: DeletePriceCells :exec
DELETE FROM price_cell WHERE channel_id = ? AND line = ? AND night < ?;

-- name: DeleteOccupancyCells :exec
DELETE FROM occupancy_cell WHERE channel_id = ? AND line = ? AND night < ?;

-- What is known of a channel that is joined to another place.
-- name: DeleteChannelStock :exec
DELETE FROM stock_cell WHERE channel_id = ?;

-- name: DeleteChannelPrices :exec
DELETE FROM price_cell WHERE channel_id = ?;

-- name: DeleteChannelOccupancies :exec
DELETE FROM occupancy_cell WHERE channel_id = ?;

-- How many nights of counters are known between two, and whether any of them is not at rest:
-- what it is to be told, or what became of that, is more than nothing.
-- name: GlanceStock :many
SELECT line, CAST(MIN(night) AS INTEGER) AS earliest, CAST(MAX(night) AS INTEGER) AS latest, COUNT(*) AS nights, CAST(MAX(dirty OR state <> 0) AS INTEGER) AS stirs
FROM stock_cell
WHERE channel_id = sqlc.arg(channel_id) AND line IN (SELECT value FROM json_each(CAST(sqlc.arg(lines) AS TEXT))) AND seller = '' AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
GROUP BY line;

-- Likewise of products. A night of which nothing is carried is not at rest: there may be nothing
-- to say of it.
-- name: GlancePrices :many
SELECT line, CAST(MIN(night) AS INTEGER) AS earliest, CAST(MAX(night) AS INTEGER) AS latest, COUNT(*) AS nights,
    CAST(MAX(dirty OR closures_state <> 0 OR lengths_state <> 0 OR price_state <> 0
        OR COALESCE(closures_want, closures_held, lengths_want, lengths_held, price_want, price_held) IS NULL) AS INTEGER) AS stirs
FROM price_cell
WHERE channel_id = sqlc.arg(channel_id) AND line IN (SELECT value FROM json_each(CAST(sqlc.arg(lines) AS TEXT))) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
GROUP BY line;

-- The products of which a price by occupancy is not at rest.
-- name: StirringOccupancies :many
SELECT DISTINCT line FROM occupancy_cell
WHERE channel_id = sqlc.arg(channel_id) AND line IN (SELECT value FROM json_each(CAST(sqlc.arg(lines) AS TEXT))) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
    AND (dirty OR state <> 0);

-- How the counters of a channel stand: as their state says, 5 where the channel
-- showed something that is put right, 7 where a value waits to be told.
-- name: TallyStock :many
SELECT CAST(CASE
        WHEN state NOT IN (0, 5) THEN state
        WHEN NOT dirty THEN 0
        WHEN state = 5 THEN 5
        ELSE 7 END AS INTEGER) AS stands, COUNT(*) AS cells
FROM stock_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) GROUP BY 1;

-- Likewise of its products, three groups at a time; 8 is a group that is not
-- carried.
-- name: TallyPrices :many
SELECT
    CAST(CASE closures_state
        WHEN 0 THEN CASE WHEN closures_want IS closures_held THEN CASE WHEN closures_want IS NULL THEN 8 ELSE 0 END WHEN closures_want IS NULL THEN 0 ELSE 7 END
        WHEN 5 THEN CASE WHEN closures_want IS NULL OR closures_want IS closures_shown THEN 0 ELSE 5 END
        ELSE closures_state END AS INTEGER) AS closures,
    CAST(CASE lengths_state
        WHEN 0 THEN CASE WHEN lengths_want IS lengths_held THEN CASE WHEN lengths_want IS NULL THEN 8 ELSE 0 END WHEN lengths_want IS NULL THEN 0 ELSE 7 END
        WHEN 5 THEN CASE WHEN lengths_want IS NULL OR lengths_want IS lengths_shown THEN 0 ELSE 5 END
        ELSE lengths_state END AS INTEGER) AS lengths,
    CAST(CASE price_state
        WHEN 0 THEN CASE WHEN price_want IS price_held THEN CASE WHEN price_want IS NULL THEN 8 ELSE 0 END WHEN price_want IS NULL THEN 0 ELSE 7 END
        WHEN 5 THEN CASE WHEN price_want IS NULL OR price_want IS price_shown THEN 0 ELSE 5 END
        ELSE price_state END AS INTEGER) AS price,
    COUNT(*) AS cells
FROM price_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) GROUP BY 1, 2, 3;

-- name: TallyOccupancies :many
SELECT CAST(CASE
        WHEN state NOT IN (0, 5) THEN state
        WHEN NOT dirty THEN 0
        WHEN state = 5 THEN 5
        ELSE 7 END AS INTEGER) AS stands, COUNT(*) AS cells
FROM occupancy_cell WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) GROUP BY 1;

-- What the house says of the nights of a channel's products, each way of saying it
-- once.
-- name: TallyRules :many
SELECT r.closures, r.lengths, COUNT(*) AS nights, CAST(MIN(r.night) AS INTEGER) AS earliest, CAST(MAX(r.night) AS INTEGER) AS latest
FROM house_restriction r
WHERE r.property_id = sqlc.arg(property_id) AND r.night >= sqlc.arg(today) AND EXISTS (
    SELECT 1 FROM mapping m WHERE m.channel_id = sqlc.arg(channel_id) AND m.retired = 0 AND m.room_type_id = r.room_type_id AND m.rate_plan_id = r.rate_plan_id)
GROUP BY r.closures, r.lengths;

-- Nights of products that have no price, with what restrictions say of them and since
-- which entry it is so: the one that took the price away, or, where there never was one,
-- the one that the closing stands for.
-- name: UnpricedNights :many
SELECT line, night, closures_told, CAST(COALESCE(price_want_entry, closures_want_entry, 0) AS INTEGER) AS entry FROM price_cell INDEXED BY price_cell_unpriced
WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND waits = 2 ORDER BY line, night;
