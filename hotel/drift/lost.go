package drift

import "slices"

// lost: it shows what it showed before it was told, or what it was told earlier. It
// said yes and did nothing, or a late call has undone it.
func lost(s Seen) bool {
	return s.Before != nil && *s.Before == s.Shown || slices.Contains(s.Former, s.Shown)
}
