package hotel

// ConflictKind says what is in conflict.
type ConflictKind string

// The kinds.
const (
	ConflictOversell  ConflictKind = "oversell"
	ConflictDrift     ConflictKind = "drift"
	ConflictAllotment ConflictKind = "allotment"
	ConflictUnmapped  ConflictKind = "unmapped_booking"
)

// ConflictOption is one way out of a conflict.
type ConflictOption struct {
	Option string
	Label  string
	Effect string
}

// ConflictOptions lists the ways out of a conflict of a kind.
func ConflictOptions(k ConflictKind) []ConflictOption {
	return conflictOptions[k]
}

var conflictOptions = map[ConflictKind][]ConflictOption{
	ConflictOversell: {
		{"accept", "Leave it", "More is sold than there is; whoever is on duty finds a room."},
	},
	ConflictDrift: {
		{"ours", "Ours", "The channel is told again what it is to show."},
		{"theirs", "Theirs", "What it shows stays until something else is wanted there."},
	},
	ConflictAllotment: {
		{"ours", "Close it again", "The channel is told its number again, though it did not take it before."},
		{"accept", "Accept", "The channel goes on selling what it was promised."},
	},
	ConflictUnmapped: {
		{"keep_unassigned", "Keep it so", "The booking keeps its room and waits for nobody any more."},
	},
}

// OptionNames returns the options of a kind by name.
func (k ConflictKind) OptionNames() []string {
	list := make([]string, len(conflictOptions[k]))
	for i, o := range conflictOptions[k] {
		list[i] = o.Option
	}
	return list
}
