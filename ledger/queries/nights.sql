-- name: PoolNights :many
SELECT * FROM pool_night WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutPoolNight :exec
INSERT INTO pool_night (property_id, night, pool_id, total, out_of_order, out_of_inventory, overbooking_limit, version, source, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, pool_id) DO UPDATE SET
    total = excluded.total, out_of_order = excluded.out_of_order, out_of_inventory = excluded.out_of_inventory,
    overbooking_limit = excluded.overbooking_limit, version = excluded.version, source = excluded.source, updated_at = excluded.updated_at;

-- name: RoomNights :many
SELECT * FROM room_night WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutRoomNight :exec
INSERT INTO room_night (property_id, night, room_type_id, sell_limit, closed, version, source, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id) DO UPDATE SET
    sell_limit = excluded.sell_limit, closed = excluded.closed,
    version = excluded.version, source = excluded.source, updated_at = excluded.updated_at;

-- name: RateNights :many
SELECT * FROM rate_night WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutRateNight :exec
INSERT INTO rate_night (property_id, night, room_type_id, rate_plan_id, occupancy, amount, version, source, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id, rate_plan_id, occupancy) DO UPDATE SET
    amount = excluded.amount, version = excluded.version, source = excluded.source, updated_at = excluded.updated_at;

-- name: DeleteRateNight :exec
DELETE FROM rate_night WHERE property_id = ? AND night = ? AND room_type_id = ? AND rate_plan_id = ? AND occupancy = ?;

-- name: RestrictionNights :many
SELECT * FROM restriction_night WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutRestrictionNight :exec
INSERT INTO restriction_night (property_id, night, room_type_id, rate_plan_id, closed, closed_to_arrival, closed_to_departure,
    min_stay_arrival, min_stay_through, max_stay_arrival, max_stay_through, min_advance, max_advance, version, source, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id, rate_plan_id) DO UPDATE SET
    closed = excluded.closed, closed_to_arrival = excluded.closed_to_arrival, closed_to_departure = excluded.closed_to_departure,
    min_stay_arrival = excluded.min_stay_arrival, min_stay_through = excluded.min_stay_through,
    max_stay_arrival = excluded.max_stay_arrival, max_stay_through = excluded.max_stay_through,
    min_advance = excluded.min_advance, max_advance = excluded.max_advance,
    version = excluded.version, source = excluded.source, updated_at = excluded.updated_at;

-- Rooms taken by night and room type. The count is of rows, there is no
-- counter column anywhere.
-- name: SoldNights :many
SELECT night, room_type_id, COUNT(*) AS sold FROM reservation_night
WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
GROUP BY night, room_type_id;

-- name: HouseStock :many
SELECT * FROM house_stock WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutHouseStock :exec
INSERT INTO house_stock (property_id, night, room_type_id, net, available, sequence) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id) DO UPDATE SET net = excluded.net, available = excluded.available, sequence = excluded.sequence;

-- name: HousePrices :many
SELECT * FROM house_price WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutHousePrice :exec
INSERT INTO house_price (property_id, night, room_type_id, rate_plan_id, occupancy, amount, exact, rounding, sequence)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id, rate_plan_id, occupancy) DO UPDATE SET
    amount = excluded.amount, exact = excluded.exact, rounding = excluded.rounding, sequence = excluded.sequence;

-- name: DeleteHousePrice :exec
DELETE FROM house_price WHERE property_id = ? AND night = ? AND room_type_id = ? AND rate_plan_id = ? AND occupancy = ?;

-- name: HouseRestrictions :many
SELECT * FROM house_restriction WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutHouseRestriction :exec
INSERT INTO house_restriction (property_id, night, room_type_id, rate_plan_id, closures, lengths, sequence) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id, rate_plan_id) DO UPDATE SET
    closures = excluded.closures, lengths = excluded.lengths, sequence = excluded.sequence;

-- name: InsertAriUpdate :exec
INSERT INTO ari_update (id, property_id, kind, sequence, entries, cells_matched, cells_changed, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: GetAriUpdate :one
SELECT * FROM ari_update WHERE id = ?;
