// Package mapping proposes which of a far side's rooms and rates are which of the
// house's, by what they are called and how many guests they take, and finds what a
// mapping leaves out. It knows names and codes, decides nothing and does no I/O: a
// person says what is taken.
package mapping
