package ledger

import "golang.org/x/sys/unix"

// networkFolder names the network file system, "" for a local one.
func networkFolder(s *unix.Statfs_t) string {
	if s.Flags&unix.MNT_LOCAL != 0 {
		return ""
	}
	return unix.ByteSliceToString(s.Fstypename[:])
}
