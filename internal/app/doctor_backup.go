package app

import (
	"os"
	"time"

	"ostler.example/internal/backup"
	"ostler.example/internal/client"
)

// backupOld is how old the newest backup may be where the daemon takes none.
const backupOld = 7 * 24 * time.Hour

// backups looks how old the newest backup is. One that is due is taken within the hour,
// or tried again; after twice the time none is being taken.
func (d *doctor) backups(now time.Time) {
	const check = "backups"
	folder, every := backupFolder(d.settings), d.settings.Backup.Every
	newest, err := backup.Newest(folder, "")
	age := now.Sub(newest)
	switch {
	case err != nil:
		d.say(Fault, check, "run this as the service's user, or as root", "%v", err)
	case newest.IsZero() && every == 0:
		d.say(Warning, check, "set [backup] every, or take some with ostler backup", "there is none in %s, and the daemon takes none by itself", folder)
	case newest.IsZero() && d.just(now):
		d.well(check, "there is none in %s yet; the daemon has just begun, and takes one", folder)
	case newest.IsZero():
		d.say(Warning, check, "start the daemon, which takes one, or look at journalctl -u ostler for why it does not", "there is none in %s", folder)
	case every > 0 && age > 2*every+failedBackupAgain:
		d.say(Fault, check, "look at journalctl -u ostler for why none is taken", "the newest in %s is of %s, and one is due every %s", folder, newest.UTC().Format(time.RFC3339), every)
	case every == 0 && age > backupOld:
		d.say(Warning, check, "set [backup] every, or take one with ostler backup", "the newest in %s is of %s, and the daemon takes none by itself", folder, newest.UTC().Format(time.RFC3339))
	default:
		d.well(check, "the newest in %s is of %s", folder, newest.UTC().Format(time.RFC3339))
	}
}

// just reports whether a daemon has begun to work lately: a backup that is due is being
// taken, or was tried once.
func (d *doctor) just(now time.Time) bool {
	begun, err := os.Stat(client.Socket(d.settings.Data))
	return err == nil && now.Sub(begun.ModTime()) < failedBackupAgain
}
