package availability

// EveryChannel is the name under which rooms are kept back from every channel.
const EveryChannel = "*"

// PerChannel holds a number for channels by id, for single sellers behind one as
// "id/seller", and for every channel under [EveryChannel].
type PerChannel map[string]int

// For returns the number that counts for a seller, "" for the channel as a
// whole: its own, else that of its channel, else that for every channel. It
// reports false when there is none.
func (p PerChannel) For(channel, seller string) (int, bool) {
	if seller != "" {
		if n, ok := p[channel+"/"+seller]; ok {
			return n, true
		}
	}
	if n, ok := p[channel]; ok {
		return n, true
	}
	n, ok := p[EveryChannel]
	return n, ok
}
