// Package ledger keeps the truth about one environment: what the house is made
// of, stock, prices and restrictions by night, reservations, channels and what
// each of them holds, and the journal of everything that happened. It is the
// only package that speaks SQL.
//
// A method that writes is one business event and one transaction: it changes
// the facts, derives the house values that follow from them, and appends the
// journal entries, or it does nothing. No transaction leaves the package. A
// method that returns without an error has been synced to the disk.
//
// What is computed inside a transaction (availability, prices) is computed by
// the pure packages below hotel. The package dials nothing, and knows neither
// connectors nor HTTP.
package ledger
