package hotel

import "time"

// Audit is how far a channel is with being found out about, after the ledger was
// restored from a backup: what it was told since then, and what it has sold, nobody
// knows. It is kept closed meanwhile, and afterwards until somebody activates it.
type Audit struct {
	Stage AuditStage `json:"stage"`
	Since time.Time  `json:"since"` // when the stage began
	From  Date       `json:"from"`  // the first night of which bookings may be missing
}

// AuditStage is one step of an audit.
type AuditStage string

// The stages, in their order.
const (
	AuditClosing      AuditStage = "closing"       // it is told that no night is for sale
	AuditClosingAgain AuditStage = "closing_again" // and once more, now that nothing that it was told before can act any more
	AuditListing      AuditStage = "listing"       // its bookings are listed, those told of long ago too
	AuditReading      AuditStage = "reading"       // what it shows is read
	Audited           AuditStage = "audited"       // all is known that can be; it waits for somebody to activate it
)

// Running reports whether something is still to be found out.
func (a *Audit) Running() bool { return a != nil && a.Stage != Audited }

// Reads reports whether the channel may be asked what it shows. Before it is closed
// for good the answer would say nothing, and could pass for a closing.
func (a *Audit) Reads() bool { return a == nil || a.Stage == AuditReading || a.Stage == Audited }
