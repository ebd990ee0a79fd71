-- How many calls that are still kept came to what.
-- name: TallyCalls :many
SELECT channel_id, operation, state, http_status, COUNT(*) AS calls FROM delivery
GROUP BY channel_id, operation, state, http_status ORDER BY channel_id, operation, state, http_status;

-- name: TallyWebhookDeliveries :many
SELECT endpoint_id, status, COUNT(*) AS deliveries FROM webhook_delivery GROUP BY endpoint_id, status ORDER BY endpoint_id, status;
