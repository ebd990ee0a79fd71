// Package availability says how many rooms of each type a night still has,
// which restrictions hold on it, and whether they let a stay through: first for
// the house, then for one channel. It is arithmetic on its arguments: it does no
// I/O, reads no clock and knows neither prices nor who asks.
package availability
