// Package console serves the pages in which people see and steer a house. Pages
// are made on the server; a small script keeps them up to date. Everything shown or
// done goes through package desk, so that a user is a caller like any other: the role
// in the house gives the scopes, and what is changed is journalled as that user's.
package console
