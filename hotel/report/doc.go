// Package report works out what a property's reports say, from its bookings and its
// rooms. It reads nothing and knows no clock: whoever asks hands in the [Books], as
// they stand or as they stood.
//
// Every booking and every pool is taken apart into lines, each of one date and one
// place in the house. A report adds up the lines of a span under the keys that it is
// grouped by, and its figures are worked out of the sums alone. So rows add up to the
// totals, a ratio is one of sums and never a mean of ratios, and nothing that would be
// divided by nothing is a number.
//
// The report on the service itself is made in the same way of what it has done.
//
// Money is whole minor units of one currency. What a stay comes to is spread over its
// nights so that the parts add up to it again.
package report
