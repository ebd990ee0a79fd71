-- Parties of a span with what their channels have sold, by what those have told,
-- and how many of these still take a room of the party's type, or of one that takes the
-- very same of the pools, to which somebody has moved the guest. Beside a message that
-- somebody is asked about a room may be counted by several codes: it is one room all
-- the same, which each counter may have sold, and which takes one room of the type, so
-- that the first of several counters has it in here.
-- name: Holdings :many
SELECT sqlc.embed(p),
    (SELECT COUNT(DISTINCT s.reservation_id) FROM counted s WHERE s.property_id = p.property_id AND s.night = p.night AND s.channel_id = p.channel_id
        AND s.remote_room = c.remote_room AND (c.remote_rate = '' OR s.remote_rate = c.remote_rate)) AS live,
    (SELECT COUNT(DISTINCT s.reservation_id) FROM counted s JOIN reservation_night n ON n.property_id = s.property_id AND n.night = s.night
        AND n.reservation_id = s.reservation_id JOIN room_type t ON t.id = n.room_type_id
        WHERE t.body -> '$.consumes' = r.body -> '$.consumes' AND s.property_id = p.property_id AND s.night = p.night AND s.channel_id = p.channel_id
        AND s.remote_room = c.remote_room AND (c.remote_rate = '' OR s.remote_rate = c.remote_rate)
        AND NOT EXISTS (SELECT 1 FROM counted o JOIN counter k ON k.channel_id = o.channel_id AND k.remote_room = o.remote_room AND (k.remote_rate = '' OR k.remote_rate = o.remote_rate)
            JOIN party q ON q.property_id = o.property_id AND q.night = o.night AND q.line = k.id JOIN room_type u ON u.id = q.room_type_id
            WHERE o.reservation_id = s.reservation_id AND o.property_id = s.property_id AND o.night = s.night AND o.channel_id = s.channel_id
            AND u.body -> '$.consumes' = r.body -> '$.consumes' AND q.line < p.line)) AS here
FROM party p JOIN counter c ON c.id = p.line JOIN room_type r ON r.id = p.room_type_id
WHERE p.property_id = sqlc.arg(property_id) AND p.night >= sqlc.arg(first) AND p.night <= sqlc.arg(last)
ORDER BY p.night, p.line;

-- Bookings of a span that came under codes which no counter of their channel has, by
-- the room type that each takes a room of; held are those that it is kept for until
-- somebody says which it is, and that no party of the type has in what is here by its
-- own codes already.
-- name: Strays :many
SELECT s.channel_id, s.night, CAST(COALESCE(n.room_type_id, '') AS TEXT) AS room_type_id, COUNT(DISTINCT s.reservation_id) AS rooms,
    COUNT(DISTINCT CASE WHEN r.room_type_id IS NULL AND n.room_type_id = r.held_room
        AND NOT EXISTS (SELECT 1 FROM counted o JOIN counter k ON k.channel_id = o.channel_id AND k.remote_room = o.remote_room AND (k.remote_rate = '' OR k.remote_rate = o.remote_rate)
            JOIN party q ON q.property_id = o.property_id AND q.night = o.night AND q.line = k.id
            WHERE o.reservation_id = s.reservation_id AND o.property_id = s.property_id AND o.night = s.night AND o.channel_id = s.channel_id
            AND q.room_type_id = n.room_type_id)
        THEN s.reservation_id END) AS held
FROM counted s JOIN reservation r ON r.id = s.reservation_id
LEFT JOIN reservation_night n ON n.reservation_id = s.reservation_id AND n.night = s.night
WHERE s.property_id = sqlc.arg(property_id) AND s.night >= sqlc.arg(first) AND s.night <= sqlc.arg(last)
AND NOT EXISTS (SELECT 1 FROM counter c WHERE c.channel_id = s.channel_id AND c.remote_room = s.remote_room AND (c.remote_rate = '' OR c.remote_rate = s.remote_rate))
GROUP BY s.channel_id, s.night, n.room_type_id;

-- Nights on which an account has the room of a booking already, by those of some room
-- types that take the very same of the pools.
-- name: OwnGrants :many
SELECT DISTINCT q.night, t.id AS room_type_id FROM counted s
JOIN counter k ON k.channel_id = s.channel_id AND k.remote_room = s.remote_room AND (k.remote_rate = '' OR k.remote_rate = s.remote_rate)
JOIN party q ON q.property_id = s.property_id AND q.night = s.night AND q.line = k.id
JOIN room_type r ON r.id = q.room_type_id
JOIN room_type t ON t.id IN (SELECT value FROM json_each(CAST(sqlc.arg(room_type_ids) AS TEXT))) AND t.body -> '$.consumes' = r.body -> '$.consumes'
WHERE s.reservation_id = sqlc.arg(reservation_id);

-- A party that is new has what was stated to be on sale, and what was sold before;
-- where nothing was stated nobody knows. What was sold under a code that no counter has
-- may be its own.
-- name: InsertParties :exec
INSERT INTO party (property_id, night, line, channel_id, room_type_id, account, raised, paid, raise_last, doing, value, clean, back, since, read, seen, at_risk)
SELECT sqlc.arg(property_id), d.value, c.id, c.channel_id, c.room_type_id,
    CAST(sqlc.narg(opening) AS INTEGER) + (SELECT COUNT(DISTINCT s.reservation_id) FROM counted s WHERE s.property_id = sqlc.arg(property_id) AND s.night = d.value AND s.channel_id = c.channel_id
        AND (s.remote_room = c.remote_room AND (c.remote_rate = '' OR s.remote_rate = c.remote_rate)
        OR NOT EXISTS (SELECT 1 FROM counter o WHERE o.channel_id = s.channel_id AND o.remote_room = s.remote_room AND (o.remote_rate = '' OR o.remote_rate = s.remote_rate)))),
    CAST(sqlc.narg(opening) AS INTEGER) IS NULL, 0, sqlc.narg(raise_last), '', 0, 0, 0, NULL, 0, 0, 0
FROM counter c, json_each(CAST(sqlc.arg(nights) AS TEXT)) d
WHERE c.id = sqlc.arg(line)
ON CONFLICT DO NOTHING;

-- name: PutParty :exec
UPDATE party SET account = ?, raised = ?, paid = ?, raise_last = ?, doing = ?, value = ?, clean = ?, back = ?, since = ?, read = ?, seen = ?, at_risk = ?
WHERE property_id = ? AND night = ? AND line = ?;

-- name: DeleteParties :exec
DELETE FROM party WHERE property_id = sqlc.arg(property_id) AND line = sqlc.arg(line) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- Counters that are told what they are wanted to show again.
-- name: ReleaseCells :exec
UPDATE stock_cell SET guarded = 0, ordered = NULL, dirty = 1, state = CASE state WHEN 1 THEN 1 ELSE 2 END
WHERE channel_id = sqlc.arg(channel_id) AND line = sqlc.arg(line) AND seller = '' AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND guarded;

-- What is sold under a code that has come to mean another room type nobody knows.
-- name: EstrangeParties :exec
UPDATE party SET account = NULL, raised = 1, paid = 0, raise_last = sqlc.arg(now), doing = '', value = 0, clean = 0, back = 0, since = NULL, read = 0, at_risk = 0,
    room_type_id = (SELECT c.room_type_id FROM counter c WHERE c.id = party.line)
WHERE party.channel_id = sqlc.arg(channel_id) AND party.room_type_id <> (SELECT c.room_type_id FROM counter c WHERE c.id = party.line);

-- What a channel has sold and shows nobody knows.
-- name: EstrangeChannel :exec
UPDATE party SET account = NULL, raised = 1, paid = 0, raise_last = sqlc.arg(now), doing = '', value = 0, clean = 0, back = 0, since = NULL, read = 0, seen = 0, at_risk = 0
WHERE channel_id = sqlc.arg(channel_id);

-- Nights on which counters of a channel are parties.
-- name: ChannelPartyNights :many
SELECT DISTINCT night FROM party WHERE channel_id = sqlc.arg(channel_id) ORDER BY night;

-- Parties of a channel that have rooms, or of which nobody knows, with what they have
-- sold and the most that they may show.
-- name: ChannelHoldings :many
SELECT sqlc.embed(p), CAST(COALESCE(s.may, 0) AS INTEGER) AS may,
    (SELECT COUNT(DISTINCT k.reservation_id) FROM counted k WHERE k.property_id = p.property_id AND k.night = p.night AND k.channel_id = p.channel_id
        AND k.remote_room = c.remote_room AND (c.remote_rate = '' OR k.remote_rate = c.remote_rate)) AS live
FROM party p JOIN counter c ON c.id = p.line
LEFT JOIN stock_cell s ON s.channel_id = p.channel_id AND s.line = p.line AND s.seller = '' AND s.night = p.night
WHERE p.channel_id = sqlc.arg(channel_id) AND p.night >= sqlc.arg(first) AND (p.account IS NULL OR p.account > 0)
ORDER BY p.night, p.line;

-- What counters of a channel are known to have sold of a span, for certain.
-- name: SurelySold :many
SELECT p.night, p.line, COUNT(DISTINCT s.reservation_id) AS rooms
FROM party p JOIN counter c ON c.id = p.line
JOIN counted s ON s.property_id = p.property_id AND s.night = p.night AND s.channel_id = p.channel_id
    AND s.remote_room = c.remote_room AND (c.remote_rate = '' OR s.remote_rate = c.remote_rate) AND NOT s.doubtful
WHERE p.channel_id = sqlc.arg(channel_id) AND p.night >= sqlc.arg(first) AND p.night <= sqlc.arg(last)
GROUP BY p.night, p.line;

-- name: DeleteChannelParties :exec
DELETE FROM party WHERE channel_id = ?;

-- name: DeletePastParties :exec
DELETE FROM party WHERE property_id = sqlc.arg(property_id) AND night < sqlc.arg(first);

-- Parties that are closed, or whose count was read, and that wait for a list of their
-- bookings.
-- name: UnlistedParties :many
SELECT night, since FROM party WHERE channel_id = sqlc.arg(channel_id) AND doing IN ('closed', 'counted') AND (clean OR doing = 'counted') ORDER BY night;

-- Parties whose bookings a list is being read of.
-- name: PartiesInList :many
SELECT * FROM party WHERE channel_id = sqlc.arg(channel_id) AND read = sqlc.arg(read) AND read <> 0;

-- Open parties of which nobody has seen for long what they show, or nobody knows for how
-- long, since a clock that was set back says when; or which may have more than they show.
-- name: DoubtfulParties :many
SELECT p.night, p.line, c.remote_room, c.remote_rate FROM party p JOIN counter c ON c.id = p.line
WHERE p.channel_id = sqlc.arg(channel_id) AND p.account > 0 AND p.seen <= sqlc.arg(stale) AND p.doing IN ('', 'set', 'counting') AND NOT p.raised
UNION
SELECT p.night, p.line, c.remote_room, c.remote_rate FROM party p JOIN counter c ON c.id = p.line
WHERE p.channel_id = sqlc.arg(channel_id) AND p.account > 0 AND p.seen > sqlc.arg(now) AND p.doing IN ('', 'set', 'counting') AND NOT p.raised
UNION
SELECT p.night, p.line, c.remote_room, c.remote_rate FROM party p JOIN counter c ON c.id = p.line
WHERE p.channel_id = sqlc.arg(channel_id) AND p.doing = 'set' AND p.back > 0 AND p.since <= sqlc.arg(unsure) AND NOT p.raised;

-- Since when the first of those parties goes unseen, and was told something, and when one
-- was seen last; -1: none.
-- name: NextDoubts :one
SELECT CAST(COALESCE((
    SELECT p.seen FROM party p
    WHERE p.channel_id = sqlc.arg(channel_id) AND p.account > 0 AND p.doing IN ('', 'set', 'counting') AND NOT p.raised ORDER BY p.seen LIMIT 1
), -1) AS INTEGER) AS seen, CAST(COALESCE((
    SELECT p.since FROM party p
    WHERE p.channel_id = sqlc.arg(channel_id) AND p.doing = 'set' AND p.back > 0 AND p.since IS NOT NULL AND NOT p.raised ORDER BY p.since LIMIT 1
), -1) AS INTEGER) AS told, CAST(COALESCE((
    SELECT p.seen FROM party p
    WHERE p.channel_id = sqlc.arg(channel_id) AND p.account > 0 AND p.doing IN ('', 'set', 'counting') AND NOT p.raised ORDER BY p.seen DESC LIMIT 1
), -1) AS INTEGER) AS newest;

-- Parties that were closed beside a raise that may still have acted.
-- name: WaitingNights :many
SELECT DISTINCT property_id, night FROM party WHERE doing = 'closed' AND NOT clean ORDER BY property_id, night;

-- Nights on which a channel was told a number between two instants, of which no answer is known yet.
-- name: NightsSetting :many
SELECT night FROM party
WHERE channel_id = sqlc.arg(channel_id) AND doing = 'setting' AND raise_last > sqlc.arg(after) AND raise_last < sqlc.arg(before);

-- Nights on which nobody knows what a channel sells, and it was closed before an instant.
-- name: StrangersClosed :many
SELECT night FROM party WHERE channel_id = sqlc.arg(channel_id) AND doing IN ('closed', 'counted') AND doing = 'closed' AND account IS NULL AND since <= sqlc.arg(before);

-- name: Calm :many
SELECT * FROM calm WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: InsertCalm :exec
INSERT INTO calm (property_id, night, room_type_id, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: DeleteCalm :exec
DELETE FROM calm WHERE property_id = ? AND night = ? AND room_type_id = ?;

-- name: DeletePastCalm :exec
DELETE FROM calm WHERE property_id = sqlc.arg(property_id) AND night < sqlc.arg(first);

-- Nights on which a pool may be shared again.
-- name: CalmNights :many
SELECT DISTINCT property_id, night FROM calm WHERE since <= sqlc.arg(since) ORDER BY property_id, night;

-- name: OvergrantedLeft :many
SELECT night, room_type_id, rooms FROM overgranted_left WHERE property_id = ?;

-- name: PutOvergrantedLeft :exec
INSERT INTO overgranted_left (property_id, night, room_type_id, rooms) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET rooms = excluded.rooms;

-- name: DeleteOvergrantedLeft :exec
DELETE FROM overgranted_left WHERE property_id = ? AND night = ? AND room_type_id = ?;

-- name: DeletePastOvergrantedLeft :exec
DELETE FROM overgranted_left WHERE property_id = sqlc.arg(property_id) AND night < sqlc.arg(first);

-- A program that starts knows nothing of what was being read or sent, nor how long ago
-- that was: whatever has to last so long begins anew.
-- name: RestartParties :exec
UPDATE party SET read = 0, raise_last = CASE WHEN raised THEN sqlc.arg(now) ELSE raise_last END, since = CASE WHEN since IS NOT NULL THEN sqlc.arg(now) END
WHERE raised OR read <> 0 OR since IS NOT NULL;

-- name: InsertCounted :exec
INSERT INTO counted (property_id, night, channel_id, remote_room, remote_rate, reservation_id, doubtful) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET doubtful = excluded.doubtful;

-- What the counters of a channel have sold for certain.
-- name: SoldByCounters :many
SELECT c.id AS line, s.night, COUNT(*) AS rooms FROM counted s JOIN counter c
    ON c.channel_id = s.channel_id AND c.remote_room = s.remote_room AND (c.remote_rate = '' OR c.remote_rate = s.remote_rate)
WHERE s.property_id = sqlc.arg(property_id) AND s.night >= sqlc.arg(first) AND s.night <= sqlc.arg(last) AND s.channel_id = sqlc.arg(channel_id) AND NOT s.doubtful
GROUP BY c.id, s.night;

-- name: CountedNights :many
SELECT * FROM counted WHERE reservation_id = ? ORDER BY night;

-- name: DeleteCounted :exec
DELETE FROM counted WHERE reservation_id = sqlc.arg(reservation_id) AND night = sqlc.arg(night)
    AND remote_room = sqlc.arg(remote_room) AND remote_rate = sqlc.arg(remote_rate);

-- name: DeletePastCounted :exec
DELETE FROM counted WHERE property_id = sqlc.arg(property_id) AND night < sqlc.arg(first);

-- What each channel has sold of a span, in room nights.
-- name: NightsByChannel :many
SELECT r.channel_id, COUNT(*) AS nights FROM reservation_night n JOIN reservation r ON r.id = n.reservation_id
WHERE n.property_id = sqlc.arg(property_id) AND n.night >= sqlc.arg(first) AND n.night <= sqlc.arg(last) GROUP BY r.channel_id;

-- How many counters a property's channels have together.
-- name: CountersOfProperty :one
SELECT COUNT(*) FROM counter c JOIN channel h ON h.id = c.channel_id WHERE h.property_id = ?;

-- Whether rooms of a property are granted to channels, or promised by contract.
-- name: Grants :one
SELECT CAST(EXISTS (SELECT 1 FROM party p WHERE p.property_id = sqlc.arg(property_id))
    OR EXISTS (SELECT 1 FROM block_night b WHERE b.property_id = sqlc.arg(property_id) AND b.channel_id <> '') AS INTEGER) AS some;

-- name: InsertDealDue :exec
INSERT INTO deal_due (property_id, night) SELECT sqlc.arg(property_id), value FROM json_each(CAST(sqlc.arg(nights) AS TEXT)) WHERE true ON CONFLICT DO NOTHING;

-- All nights on which rooms are granted, of all properties.
-- name: DealAllDue :exec
INSERT INTO deal_due (property_id, night) SELECT DISTINCT property_id, night FROM party WHERE true ON CONFLICT DO NOTHING;

-- A property of which nights are still to be dealt, and that is not stepped over.
-- name: NextDealDue :one
SELECT property_id FROM deal_due WHERE property_id NOT IN (SELECT value FROM json_each(CAST(sqlc.arg(resting) AS TEXT))) LIMIT 1;

-- name: DealDue :many
SELECT night FROM deal_due WHERE property_id = sqlc.arg(property_id) ORDER BY night LIMIT sqlc.arg(at_most);

-- name: DeleteDealDue :exec
DELETE FROM deal_due WHERE property_id = sqlc.arg(property_id) AND night <= sqlc.arg(last);

-- Whether nobody knows of any party of a channel what it sells.
-- name: HasUnknownParty :one
SELECT COUNT(*) FROM (SELECT 1 FROM party WHERE channel_id = sqlc.arg(channel_id) AND night >= sqlc.arg(first) AND account IS NULL LIMIT 1);
