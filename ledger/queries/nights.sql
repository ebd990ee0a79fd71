-- name: FactNights :many
SELECT night, subject, value, version, source, updated_at FROM fact_night
WHERE property_id = sqlc.arg(property_id) AND sheet = sqlc.arg(sheet) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
ORDER BY night, subject;

-- The nights are listed, so that each is one seek to the few subjects that are
-- asked for, however many the property has.
-- name: FactNightsOf :many
SELECT night, subject, value, version, source, updated_at FROM fact_night
WHERE property_id = sqlc.arg(property_id) AND sheet = sqlc.arg(sheet)
  AND night IN (SELECT value FROM json_each(sqlc.arg(nights))) AND subject >= sqlc.arg(low) AND subject < sqlc.arg(high);

-- A night that was written again since stays as it is.
-- name: PutFactNight :exec
INSERT INTO fact_night (property_id, sheet, night, subject, value, version, source, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, sheet, night, subject) DO UPDATE SET
    value = excluded.value, version = excluded.version, source = excluded.source, updated_at = excluded.updated_at
WHERE excluded.version > fact_night.version;

-- Rooms taken by night and room type. The count is of rows, there is no
-- counter column anywhere.
-- name: SoldNights :many
SELECT night, room_type_id, COUNT(*) AS taken, CAST(SUM(held) AS INTEGER) AS held FROM reservation_night
WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
GROUP BY night, room_type_id;

-- name: PickupNights :many
SELECT night, day, rooms FROM pickup_night
WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
ORDER BY night, day;

-- name: AddPickup :exec
INSERT INTO pickup_night (property_id, night, day, rooms) VALUES (?, ?, ?, ?)
ON CONFLICT (property_id, night, day) DO UPDATE SET rooms = rooms + excluded.rooms;

-- name: HouseStock :many
SELECT * FROM house_stock WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: PutHouseStock :exec
INSERT INTO house_stock (property_id, night, room_type_id, net, available, oversold, planned, sequence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id) DO UPDATE SET
    net = excluded.net, available = excluded.available, oversold = excluded.oversold, planned = excluded.planned, sequence = excluded.sequence;

-- name: HousePrices :many
SELECT * FROM house_price WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: HousePricesOf :many
SELECT * FROM house_price
WHERE property_id = sqlc.arg(property_id) AND night IN (SELECT value FROM json_each(sqlc.arg(nights)))
  AND room_type_id = sqlc.arg(room_type_id) AND rate_plan_id IN (SELECT value FROM json_each(sqlc.arg(plans)));

-- name: PutHousePrice :exec
INSERT INTO house_price (property_id, night, room_type_id, rate_plan_id, occupancy, amount, exact, rounding, sequence)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id, rate_plan_id, occupancy) DO UPDATE SET
    amount = excluded.amount, exact = excluded.exact, rounding = excluded.rounding, sequence = excluded.sequence;

-- name: DeleteHousePrice :exec
DELETE FROM house_price WHERE property_id = ? AND night = ? AND room_type_id = ? AND rate_plan_id = ? AND occupancy = ?;

-- name: HouseRestrictions :many
SELECT * FROM house_restriction WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last);

-- name: HouseRestrictionsOf :many
SELECT * FROM house_restriction
WHERE property_id = sqlc.arg(property_id) AND night IN (SELECT value FROM json_each(sqlc.arg(nights)))
  AND room_type_id = sqlc.arg(room_type_id) AND rate_plan_id IN (SELECT value FROM json_each(sqlc.arg(plans)));

-- name: ProductRestrictions :many
SELECT night, closures, lengths FROM house_restriction
WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
    AND room_type_id = sqlc.arg(room_type_id) AND rate_plan_id = sqlc.arg(rate_plan_id);

-- name: PutHouseRestriction :exec
INSERT INTO house_restriction (property_id, night, room_type_id, rate_plan_id, closures, lengths, sequence) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, night, room_type_id, rate_plan_id) DO UPDATE SET
    closures = excluded.closures, lengths = excluded.lengths, sequence = excluded.sequence;

-- name: LastHouseNight :one
SELECT CAST(max(
    coalesce((SELECT MAX(h.night) FROM house_stock h WHERE h.property_id = sqlc.arg(property_id)), -1),
    coalesce((SELECT MAX(n.night) FROM reservation_night n WHERE n.property_id = sqlc.arg(property_id)), -1)
) AS INTEGER) AS night;

-- The house values of what is no longer sold.

-- name: DeleteHouseStock :exec
DELETE FROM house_stock WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last) AND room_type_id = sqlc.arg(room_type_id);

-- name: DeleteHousePrices :exec
DELETE FROM house_price WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
AND room_type_id = sqlc.arg(room_type_id) AND rate_plan_id = sqlc.arg(rate_plan_id);

-- name: DeleteHouseRestrictions :exec
DELETE FROM house_restriction WHERE property_id = sqlc.arg(property_id) AND night >= sqlc.arg(first) AND night <= sqlc.arg(last)
AND room_type_id = sqlc.arg(room_type_id) AND rate_plan_id = sqlc.arg(rate_plan_id);
