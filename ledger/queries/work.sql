-- How the service itself works, counted by day.

-- name: AddAnswers :exec
INSERT INTO answer_tally (client_id, day, status, took, answers) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (client_id, day, status, took) DO UPDATE SET answers = answers + excluded.answers;

-- name: AnswersOf :many
SELECT * FROM answer_tally WHERE client_id = sqlc.arg(client_id) AND day >= sqlc.arg(first) AND day <= sqlc.arg(last);

-- name: AnswersOfAll :many
SELECT answer_tally.* FROM client CROSS JOIN answer_tally ON client_id = client.id AND day >= sqlc.arg(first) AND day <= sqlc.arg(last)
WHERE client.environment = 'production';

-- name: DeleteAnswers :exec
DELETE FROM answer_tally WHERE day < ?;

-- name: AddWork :exec
INSERT INTO work_tally (property_id, day, channel_id, client_id, work, took, times) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (property_id, day, channel_id, client_id, work, took) DO UPDATE SET times = times + excluded.times;

-- name: WorkOf :many
SELECT * FROM work_tally WHERE property_id = sqlc.arg(property_id) AND day >= sqlc.arg(first) AND day <= sqlc.arg(last);

-- name: DeleteWork :exec
DELETE FROM work_tally WHERE day < ?;

-- name: OpenCircuits :many
SELECT channel.id, standing.since FROM channel CROSS JOIN standing ON standing.account = channel.account
WHERE channel.property_id = ? AND channel.status <> 'disconnected' AND standing.cause <> '';
