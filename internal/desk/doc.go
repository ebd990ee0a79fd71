// Package desk is what people and programs may ask of the house: availability,
// the house's structure, stock, prices, restrictions, reservations and
// channels. For each noun it checks the caller's scope and property grants and
// what can be said about a request without the ledger's transaction, and then
// asks the ledger. It knows no SQL and no wire format: package api and the
// console speak to people, the ledger keeps the facts.
//
// Whatever the caller can act on comes back as a [hotel.Refusal].
package desk
