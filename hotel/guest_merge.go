package hotel

import (
	"maps"
	"slices"
)

// Merge takes over what another profile of the same person knows beyond this one.
// Of two answers about marketing the newer counts.
func (p *GuestProfile) Merge(from GuestProfile) {
	p.Fill(from.Guest)
	p.Loyalty = union(p.Loyalty, from.Loyalty)
	p.VIP = p.VIP || from.VIP
	if from.Consent != nil && (p.Consent == nil || from.Consent.At.After(p.Consent.At)) {
		p.Consent = from.Consent
	}
	p.ExternalIDs, p.Metadata = both(p.ExternalIDs, from.ExternalIDs), both(p.Metadata, from.Metadata)
	own, theirs := &p.Preferences, from.Preferences
	own.Tags, own.Notes, own.Dietary = union(own.Tags, theirs.Tags), union(own.Notes, theirs.Notes), union(own.Dietary, theirs.Dietary)
	for _, r := range []struct{ own, theirs **Preference }{
		{&own.Room.Floor, &theirs.Room.Floor},
		{&own.Room.Bed, &theirs.Room.Bed},
		{&own.Room.Smoking, &theirs.Room.Smoking},
		{&own.Room.Accessible, &theirs.Room.Accessible},
	} {
		if *r.own == nil {
			*r.own = *r.theirs
		}
	}
}

func union[V comparable](own, theirs []V) []V {
	out := slices.Clone(own)
	for _, v := range theirs {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func both(own, theirs map[string]string) map[string]string {
	if len(theirs) == 0 {
		return own
	}
	out := maps.Clone(theirs)
	maps.Copy(out, own)
	return out
}
