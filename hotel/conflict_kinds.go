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
	Option    string
	Label     string
	Effect    string
	Arguments []Argument
	Rests     bool // nothing but the conflict changes by it
}

// ConflictOptions lists the ways out of a conflict of a kind.
func ConflictOptions(k ConflictKind) []ConflictOption {
	return conflictOptions[k]
}

var conflictOptions = map[ConflictKind][]ConflictOption{
	ConflictOversell: {
		{Option: OptionAccept, Label: "Leave it", Effect: "More is sold than there is; whoever is on duty finds a room.", Rests: true},
	},
	ConflictDrift: {
		{Option: string(Ours), Label: "Ours", Effect: "The channel is told again what it is to show."},
		{Option: string(Theirs), Label: "Theirs", Effect: "What it shows stays until something else is wanted there."},
	},
	ConflictAllotment: {
		{Option: string(Ours), Label: "Close it again", Effect: "The channel is told its number again, though it did not take it before."},
		{Option: OptionAccept, Label: "Accept", Effect: "The channel goes on selling what it was promised."},
	},
	ConflictUnmapped: {
		{Option: OptionKeepUnassigned, Label: "Keep it so", Effect: "The booking keeps its room and waits for nobody any more.", Rests: true},
	},
}

// Options that are spoken of elsewhere.
const (
	OptionAccept         = "accept"
	OptionKeepUnassigned = "keep_unassigned"
)

// Option returns one way out of a conflict of the kind by its name.
func (k ConflictKind) Option(name string) (ConflictOption, bool) {
	for _, o := range conflictOptions[k] {
		if o.Option == name {
			return o, true
		}
	}
	return ConflictOption{}, false
}

// Unaided reports whether an option can be taken without anybody who says more
// than its name.
func (o ConflictOption) Unaided() bool {
	for _, a := range o.Arguments {
		if a.Required {
			return false
		}
	}
	return true
}

// OptionNames returns the options of a kind by name.
func (k ConflictKind) OptionNames() []string {
	list := make([]string, len(conflictOptions[k]))
	for i, o := range conflictOptions[k] {
		list[i] = o.Option
	}
	return list
}
