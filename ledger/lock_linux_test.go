package ledger

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestNetworkFolderIsRefused(t *testing.T) {
	dir := folder(t)
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	if _, known := networkFolders[s.Type]; known {
		t.Skip("the folder of the tests lies on a network file system")
	}
	networkFolders[s.Type] = "a file system of the test"
	defer delete(networkFolders, s.Type)
	if _, err := LockFolder(dir); err == nil || !strings.Contains(err.Error(), "a file system of the test") {
		t.Errorf("claimed: %v", err)
	}
}
