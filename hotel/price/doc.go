// Package price makes prices: from a base amount through the derivations of rate
// plans to the house price, and from there to what the property quotes or what
// one channel is to show. Everything on the way is exact; a price is rounded
// once, at its end. The package does no I/O and knows neither nights nor rooms.
package price
