// Package exposure keeps the accounts of a guarded pool: which rooms of a night
// each party was granted, so that no room is ever on sale in two places. A party
// is one counter at one seller, the smallest thing that can sell by itself.
//
// An account counts what the party has sold, as far as we have heard, and what it
// may still sell. A booking that we hear of moves nothing between parties: only
// grants, closings brought to their end and facts do. Three things hold at all
// times, whatever is lost, late or repeated on the way:
//
//	the rooms not dealt out are never below 0, except for what a fact took away
//	a party's bookings and its count together are never above its account
//	all bookings together are never above the rooms there are
//
// The package is arithmetic on one party, one pool and one night. It does no I/O
// and reads no clock; when something is sent, and in which order, is for others.
package exposure
