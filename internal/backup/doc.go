// Package backup writes copies of a ledger to where they are kept, and reads them
// back. A backup is a file, encrypted if one wants, and beside it a manifest, which
// says what it is a copy of and what its bytes come to. A file without a manifest is
// no finished backup: the manifest comes last.
//
// The package knows files and the few questions that the ledger answers about one of
// its own. It opens no ledger to work with, and decides nothing about when.
package backup
