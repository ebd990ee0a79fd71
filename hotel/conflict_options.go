package hotel

import (
	"maps"
	"slices"
)

// ConflictOption is one way out of a conflict.
type ConflictOption struct {
	Option    string
	Label     string
	Effect    string
	Arguments []Argument
	Rests     bool     // nothing but the conflict changes by it
	Needs     []string // scopes of whoever takes it, beside that of the inbox: what it writes has a route of its own
}

// ConflictKinds lists the kinds of conflict that there are, by name.
func ConflictKinds() []ConflictKind { return slices.Sorted(maps.Keys(conflictOptions)) }

// ConflictOptions lists the ways out of a conflict of a kind.
func ConflictOptions(k ConflictKind) []ConflictOption {
	return conflictOptions[k]
}

// Options that are spoken of elsewhere.
const (
	OptionMove           = "move"
	OptionWalk           = "walk"
	OptionStopSell       = "stop_sell"
	OptionKeepBackMore   = "keep_back_more"
	OptionAccept         = "accept"
	OptionRetry          = "retry"
	OptionPause          = "pause"
	OptionSkip           = "skip"
	OptionSend           = "send"
	OptionUndo           = "undo"
	OptionRemap          = "remap"
	OptionSetPrice       = "set_price"
	OptionKeepClosed     = "keep_closed"
	OptionHold           = "hold"
	OptionClose          = "close"
	OptionCap            = "cap"
	OptionCloseAll       = "close_all"
	OptionKeep           = "keep"
	OptionDispute        = "dispute"
	OptionSame           = "same"
	OptionDistinct       = "distinct"
	OptionExtend         = "extend"
	OptionCheckOut       = "check_out"
	OptionRelease        = "release"
	OptionMap            = "map"
	OptionChange         = "change"
	OptionKeepUnassigned = "keep_unassigned"
	OptionIgnore         = "ignore"
	OptionCancelMissing  = "cancel_missing"
	OptionKeepAll        = "keep_all"
	OptionApply          = "apply"
	OptionDoneAtChannel  = "done_at_channel"
	OptionWithdraw       = "withdraw"
	OptionDismiss        = "dismiss"

	OptionCancelAndCheckOut = "cancel_and_check_out"
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

// The scopes that options need.
const (
	writesReservations   = "reservations:write"
	overridesReservation = "reservations:override"
	writesInventory      = "inventory:write"
	writesRates          = "rates:write"
)

// Needs returns the scopes that whoever takes an option of the conflict needs beside
// that of the inbox.
func (c *Conflict) Needs(o ConflictOption) []string {
	if c.Kind == ConflictRejected && o.Option == OptionChange {
		if len(c.Cells) > 0 && c.Cells[0].Group == Availability {
			return []string{writesInventory}
		}
		return []string{writesRates}
	}
	return o.Needs
}
