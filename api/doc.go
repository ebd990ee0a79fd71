// Package api serves /v1 and /.well-known: it reads requests, authenticates
// their senders, counts them against the hourly limit, asks the desk, and
// writes answers and problem documents. It holds no business rule and no SQL;
// what may be asked of the house is decided by internal/desk.
//
// Most operations are registered with huma, which validates them and writes the
// OpenAPI document. OAuth and GET /availability are plain handlers: the first
// because their forms are fixed by RFCs, the second for speed.
package api
