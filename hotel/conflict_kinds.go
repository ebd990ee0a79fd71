package hotel

// ConflictKind says what is in conflict.
type ConflictKind string

// The kinds.
const (
	ConflictOversell    ConflictKind = "oversell"
	ConflictDrift       ConflictKind = "drift"
	ConflictAllotment   ConflictKind = "allotment"
	ConflictUnmapped    ConflictKind = "unmapped_booking"
	ConflictRejected    ConflictKind = "rejected_cell"
	ConflictCredentials ConflictKind = "credentials"
	ConflictPriceGuard  ConflictKind = "price_guard"
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

// ConflictKinds lists the kinds, in the order of the page that explains them.
var ConflictKinds = []ConflictKind{
	ConflictOversell, ConflictDrift, ConflictAllotment, ConflictUnmapped, ConflictRejected, ConflictCredentials, ConflictPriceGuard,
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
	ConflictRejected: {
		{"retry", "Try again", "The channel is told the value once more."},
		{"skip", "Leave it", "The channel keeps what it shows until something else is wanted there."},
	},
	ConflictCredentials: {
		{"retry", "Try again", "The channel is called with the settings that it has now."},
	},
	ConflictPriceGuard: {
		{"send", "Send it", "The price goes out though the guard found something."},
		{"hold", "Keep it back", "The channel keeps the price that it shows."},
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
