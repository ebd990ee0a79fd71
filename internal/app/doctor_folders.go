package app

// folders has the daemon say whether it can write to the folders of backups and downtime
// sheets.
func (d *doctor) folders() {
	const check = "other folders"
	var list []outerFolder
	if err := d.daemon.Get(d.ctx, "/daemon/folders", &list); err != nil {
		d.say(Fault, check, "look at journalctl -u ostler", "%v", err)
		return
	}
	for _, f := range list {
		switch f.Fault {
		case "":
			d.well(f.Key, "the daemon can write to %s", f.Path)
		case folderMissing:
			d.say(Fault, f.Key, "make it, or mount its disk", "there is no folder %s", f.Path)
		case folderReadOnly:
			d.say(Fault, f.Key, "name it in ReadWritePaths= of the unit: systemctl edit ostler, then systemctl restart ostler; or look whether its disk is mounted read-only",
				"%s is read-only for the daemon: its unit leaves it the data folder alone, or the file system is read-only", f.Path)
		default:
			d.say(Fault, f.Key, "give it to the service's user or group with chown", "the daemon may not write to %s", f.Path)
		}
	}
}
