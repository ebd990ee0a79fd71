package app

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// foldersPath is where the operators' socket tells how the daemon stands with the folders
// that it writes to besides the ledger's. Its unit may keep read-only for it what others
// can write to, so nobody but itself knows.
const foldersPath = "/v1/daemon/folders"

// outerFolder is one of them.
type outerFolder struct {
	Key   string      `json:"key"` // of the configuration
	Path  string      `json:"path"`
	Fault folderFault `json:"fault,omitempty"`
}

// folderFault is why a folder cannot be written to.
type folderFault string

// The faults; "" is none.
const (
	folderMissing  folderFault = "missing"
	folderReadOnly folderFault = "read_only"
	folderForeign  folderFault = "foreign"
)

// folders answers a question for them.
func (d *Daemon) folders(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode([]outerFolder{ // who asked has gone, if it fails
		{Key: "backup.folder", Path: backupFolder(d.config), Fault: faultOf(backupFolder(d.config), d.config.Backup.Folder == "")},
		{Key: "notify.sheets", Path: sheetsFolder(d.config), Fault: faultOf(sheetsFolder(d.config), true)},
	})
}

// faultOf says why this process cannot write to a folder. One that is made when it is needed
// may be missing, as long as the one that it goes into can be written to.
func faultOf(dir string, made bool) folderFault {
	err := unix.Access(dir, unix.W_OK)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fs.ErrNotExist) && made && filepath.Dir(dir) != dir:
		return faultOf(filepath.Dir(dir), true)
	case errors.Is(err, fs.ErrNotExist):
		return folderMissing
	case errors.Is(err, syscall.EROFS):
		return folderReadOnly
	}
	return folderForeign
}
