package hotel

// Actor is whoever caused a change: a client of the API, a channel, a person at
// the command line, or the program itself.
type Actor struct {
	Kind ActorKind `json:"kind"`
	ID   string    `json:"id,omitempty"`
}

// ActorKind says what sort of actor it is.
type ActorKind string

// The kinds of actors.
const (
	ActorClient   ActorKind = "client"
	ActorChannel  ActorKind = "channel"
	ActorOperator ActorKind = "operator"
	ActorUser     ActorKind = "user" // of the console
	ActorSystem   ActorKind = "system"
)

// System is the program itself.
var System = Actor{Kind: ActorSystem}

// By says who asks for a change and in which request, for the journal.
type By struct {
	Actor     Actor
	RequestID string
}

// Once identifies a request that may arrive several times and may have its
// effect once. The zero value is a request that carries no key.
type Once struct {
	Client, Method, Path, Key string
	Fingerprint               [32]byte // SHA-256 of the body as received

	// Refused is why whoever asks may not have the effect, nil where they may. A request that
	// has had it is answered as it was all the same.
	Refused error
}
