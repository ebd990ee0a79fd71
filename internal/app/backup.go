package app

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"ostler.example/hotel"
	"ostler.example/internal/backup"
	"ostler.example/internal/client"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// BackupOptions says what is to be copied, and where to.
type BackupOptions struct {
	File   string // the configuration that names the data folder
	To     string // a folder or a new file; "": as the configuration says
	Report func(at string, share float64)
}

// Backup takes a backup of the ledger. While a daemon works on the data folder, that
// one does it and works on; else the folder is claimed.
func Backup(ctx context.Context, o BackupOptions) (backup.Taken, error) {
	c, err := config.Load(o.File)
	if err != nil {
		return backup.Taken{}, err
	}
	if o.To != "" { // the daemon stands in another folder
		whole, err := filepath.Abs(o.To)
		if err != nil {
			return backup.Taken{}, err
		}
		if o.To[len(o.To)-1] == filepath.Separator {
			whole += string(filepath.Separator)
		}
		o.To = whole
	}
	lock, err := claim(c.Data)
	if err != nil {
		var taken backup.Taken
		asked := askToWork(ctx, c.Data, backupPath+"?"+url.Values{"to": {o.To}}.Encode(), o.Report, &taken)
		if errors.Is(asked, client.ErrNoDaemon) {
			return taken, err // whoever has claimed the folder is no daemon
		}
		return taken, asked
	}
	taken, err := takeBackup(ctx, c, o.To, o.Report)
	return taken, errors.Join(err, lock.Release())
}

// backupFolder is where backups go unless somebody says otherwise.
func backupFolder(c config.Config) string {
	if c.Backup.Folder != "" {
		return c.Backup.Folder
	}
	return filepath.Join(c.Data, "backups")
}

func takeBackup(ctx context.Context, c config.Config, to string, report ledger.Progress) (backup.Taken, error) {
	path := ledgerPath(c.Data)
	if there, err := exists(path); err != nil || !there {
		return backup.Taken{}, errors.Join(err, noLedger(c.Data))
	}
	if to == "" {
		to = backupFolder(c)
		if c.Backup.Folder == "" { // a folder that somebody has named must be there: its disk may not be
			if err := os.MkdirAll(to, 0o750); err != nil {
				return backup.Taken{}, err
			}
		}
	}
	owner, err := ownerOf(c.Data)
	if err != nil {
		return backup.Taken{}, err
	}
	taken, err := backup.Take(ctx, backup.Options{
		Ledger: path, To: to, Keep: c.Backup.Keep, Recipients: c.Backup.Recipients, Version: Version, Now: hotel.SystemClock{}.Now(), Report: report,
	})
	return taken, errors.Join(err, owner.take(c.Data, "."))
}
