package hotel

// ChannelReport is something about a channel that somebody has to look at there, which its
// connector has heard or seen and which no message or value tells. It names no guest: it is
// kept where nothing can be forgotten.
type ChannelReport struct {
	Code     string   // what it is, such as sync_error
	Of       string   // what of, such as an agency behind a relay; "": of the channel
	Reason   string   // more of it, for whoever reads it
	Severity Severity // "": [Warning]
	Over     bool     // what was reported is over
}
