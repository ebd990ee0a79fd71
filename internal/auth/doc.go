// Package auth knows who may call and how often: clients and their secrets,
// opaque access tokens, scopes and property grants, and the hourly rate window
// of each client. It holds no SQL and no HTTP: what must last goes through
// [Store], and package api speaks OAuth on the wire.
package auth
