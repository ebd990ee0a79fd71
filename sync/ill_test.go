package sync_test

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// ailment is a way in which the connector "ill" breaks the rules.
type ailment string

const (
	healthy         ailment = ""
	answersForeign  ailment = "answers about a cell that it was not given"
	answersOddly    ailment = "answers with an outcome that there is not"
	talksWithoutEnd ailment = "answers with a mountain of words"
	sendPanics      ailment = "panics when it sends"
	sendHangs       ailment = "never ends a send"
	encodePanics    ailment = "panics when it packs changes"
	encodeHangs     ailment = "never ends packing changes"
	encodeLoses     ailment = "loses changes"
	encodeDoubles   ailment = "packs changes twice"
	readsNegative   ailment = "reads rooms below nothing"
	readsTwice      ailment = "reads two counts of one night"
	readsForeign    ailment = "reads a room that it was not asked for"
	readsCurrency   ailment = "reads prices in another currency"
	readPanics      ailment = "panics when it reads"
	readHangs       ailment = "never ends a read"
	pollPanics      ailment = "panics when it polls"
	pollHangs       ailment = "never ends a poll"
	listPanics      ailment = "panics when it lists"
	listHangs       ailment = "never ends a list"
	actPanics       ailment = "panics when it acts"
	actHangs        ailment = "never ends an action"
	rereadPanics    ailment = "panics when it reads a message again"
	rereadHangs     ailment = "never ends reading a message again"
	productsPanic   ailment = "panics when it tells what is sold"
	productsHang    ailment = "never ends telling what is sold"
	closePanics     ailment = "panics when it is closed"
	closeHangs      ailment = "is never closed"
	openHangs       ailment = "is never opened"
	openPanics      ailment = "panics when it is opened"
	capablePanics   ailment = "panics when it tells what it can do"
	capableHangs    ailment = "never ends telling what it can do"
	accountPanics   ailment = "panics when it tells whose account it is"
	accountHangs    ailment = "never ends telling whose account it is"
	placePanics     ailment = "panics when it tells where it is joined to"
	placeHangs      ailment = "never ends telling where it is joined to"
	exits           ailment = "ends its goroutine instead of answering"
)

// ill is a connector and the far side behind it in one, sound but for its ailment.
type ill struct {
	mu      sync.Mutex
	has     ailment
	release chan struct{} // ends what hangs
	bodies  [][]connectors.Change
	shown   map[connectors.Key]hotel.Offer
	sends   int
	mail    []connectors.Message // what its next poll brings; what was taken is gone
	sound   connectors.Message   // what it makes of a message that it reads again
}

// patient is the one that a test holds in its hands.
var patient *ill

type illConfig struct {
	Mute     bool `json:"mute"`     // it cannot be asked what it shows
	Unlisted bool `json:"unlisted"` // it cannot be asked for its bookings by date
}

func (illConfig) Validate() error { return nil }

func init() {
	exact := hotel.Carriage{As: hotel.Exact}
	connectors.Register(connectors.Driver[illConfig]{
		Name: "ill", Summary: "breaks the rules", Example: "# nothing",
		Capabilities: func(c illConfig, _ connectors.Discovered) connectors.Capabilities {
			if patient != nil { // not yet when it is registered
				patient.suffer(capablePanics, capableHangs)
			}
			return connectors.Capabilities{
				Terms: hotel.Terms{
					StockPer: hotel.PerRoom, Sellers: hotel.One, Acknowledges: hotel.BySeller,
					Fields:  map[hotel.Field]hotel.Carriage{hotel.FieldAvailable: exact, hotel.FieldClosed: exact, hotel.FieldAmount: exact},
					Actions: []hotel.ActionTerms{{Kind: hotel.ActionCancel}}, RepeatKey: true, ListsByDate: !c.Mute && !c.Unlisted,
				},
				InOrder: true, Reads: !c.Mute, Lists: !c.Mute && !c.Unlisted, Polls: true, HasCatalog: !c.Mute, Rereads: !c.Mute,
			}
		},
		Account: func(illConfig) string {
			patient.suffer(accountPanics, accountHangs)
			return "ill"
		},
		Place: func(illConfig) string {
			patient.suffer(placePanics, placeHangs)
			return "ill"
		},
		Open: func(_ context.Context, c illConfig, _ connectors.Env) (connectors.Connector, error) {
			patient.suffer(openPanics, openHangs)
			if c.Mute {
				return struct {
					connectors.Connector
					connectors.Poller
				}{patient, patient}, nil
			}
			return patient, nil
		},
	})
}

// suffer does what hangs and panics do.
func (i *ill) suffer(panics, hangs ailment) {
	i.mu.Lock()
	has, release := i.has, i.release
	i.mu.Unlock()
	switch has { //nolint:exhaustive // the others are elsewhere
	case panics:
		panic("oh")
	case hangs:
		<-release // whatever its context says
	case exits:
		runtime.Goexit()
	}
}

func (i *ill) Encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	i.suffer(encodePanics, encodeHangs)
	i.mu.Lock()
	defer i.mu.Unlock()
	switch i.has { //nolint:exhaustive // the others are elsewhere
	case encodeLoses:
		changes = changes[1:]
	case encodeDoubles:
		changes = append(changes[:1:1], changes...)
	}
	if len(changes) == 0 {
		return nil, nil
	}
	c := connectors.Call{Operation: "update", Body: []byte(strconv.Itoa(len(i.bodies)))}
	for _, change := range changes {
		c.Keys = append(c.Keys, change.Key)
	}
	i.bodies = append(i.bodies, changes)
	return []connectors.Call{c}, nil
}

func (i *ill) Send(_ context.Context, c connectors.Call) (connectors.Answer, error) {
	i.suffer(sendPanics, sendHangs)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.sends++
	body, err := strconv.Atoi(string(c.Body))
	if err != nil {
		return connectors.Answer{}, err
	}
	for _, change := range i.bodies[body] {
		i.shown[change.Key] = change.Offer
	}
	a := connectors.Answer{Rest: connectors.Applied}
	stranger := c.Keys[0]
	stranger.Room = "ATTIC"
	switch i.has { //nolint:exhaustive // the others are elsewhere
	case answersForeign:
		a.Keys = map[connectors.Key]connectors.Verdict{stranger: {Outcome: connectors.Applied}}
	case answersOddly:
		a.Rest = 99
	case talksWithoutEnd:
		a.Excerpt, a.Ref = strings.Repeat("blah ", 1<<20), strings.Repeat("9", 1<<20)
	}
	return a, nil
}

func (i *ill) Read(_ context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	i.suffer(readPanics, readHangs)
	i.mu.Lock()
	defer i.mu.Unlock()
	var out []connectors.Change
	for k, o := range i.shown {
		if k.Room != room || k.Night < from || k.Night > to {
			continue
		}
		counts := k.Group == hotel.Availability
		switch {
		case i.has == readsNegative && counts:
			o.Available = -1
		case i.has == readsTwice && counts:
			other := o
			other.Available++
			out = append(out, connectors.Change{Key: k, Offer: other})
		case i.has == readsForeign:
			k.Room = "ATTIC"
		case i.has == readsCurrency && k.Group == hotel.Price:
			o.Amount.Currency = "XXX"
		}
		out = append(out, connectors.Change{Key: k, Offer: o}) // in no order
	}
	return out, nil
}

func (i *ill) Poll(ctx context.Context, _ string, sink connectors.Sink) (string, error) {
	i.suffer(pollPanics, pollHangs)
	i.mu.Lock()
	mail := i.mail
	i.mu.Unlock()
	for n, m := range mail {
		if err := sink.Deliver(ctx, m); err != nil {
			return strconv.Itoa(n), err
		}
		i.mu.Lock()
		i.mail = i.mail[1:]
		i.mu.Unlock()
	}
	return "", nil
}

func (i *ill) List(context.Context, hotel.Date, hotel.Date, connectors.Sink) error {
	i.suffer(listPanics, listHangs)
	return nil
}

func (i *ill) Act(context.Context, connectors.Action) (connectors.Verdict, error) {
	i.suffer(actPanics, actHangs)
	return connectors.Verdict{Outcome: connectors.Applied}, nil
}

func (i *ill) Reread(context.Context, []byte) (connectors.Message, error) {
	i.suffer(rereadPanics, rereadHangs)
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.sound, nil
}

func (i *ill) Products(context.Context) ([]connectors.RemoteProduct, error) {
	i.suffer(productsPanic, productsHang)
	return []connectors.RemoteProduct{{Room: "R", Rate: "P"}}, nil
}

// shows is how many rooms it shows on a night.
func (i *ill) shows(k connectors.Key) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.shown[k].Available
}

// told is how often it was told something.
func (i *ill) told() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.sends
}

func (i *ill) Close() error {
	i.suffer(closePanics, closeHangs)
	return nil
}
