package connectors

import "context"

// Shelf keeps for one channel what its connector needs again after a restart and
// cannot ask the far side for: what a calendar said when it was last read, or what
// the far side is to find when it comes to read. It is emptied when the channel is
// joined to another place, and goes into backups. Guest data does not belong there:
// who is to be forgotten is not looked for in it.
type Shelf interface {
	// Get returns what was put under the name last, nil when nothing was.
	Get(ctx context.Context, name string) ([]byte, error)

	// Put replaces it. When it returns nil the body is on disk.
	Put(ctx context.Context, name string, body []byte) error
}
