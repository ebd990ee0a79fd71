package drift

// edit: it showed what it was told, and now something else. Nobody here did that.
func edit(s Seen) bool { return s.wasRight() }
