package ledger

import "golang.org/x/sys/unix"

var networkFolders = map[int64]string{
	0x6969:     "NFS",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB2",
	0x517b:     "SMB",
	0x65735546: "FUSE",
	0x01021997: "9P",
	0x00c36400: "Ceph",
	0x47504653: "GPFS",
}

// networkFolder names the network file system, "" for a local one.
func networkFolder(s *unix.Statfs_t) string { return networkFolders[s.Type] }
