-- name: GetSandbox :one
SELECT * FROM sandbox WHERE id = ?;

-- name: PutSandbox :exec
INSERT INTO sandbox (id, generation, ahead) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, ahead = excluded.ahead;
