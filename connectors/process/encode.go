package process

import (
	"context"
	"encoding/json"
	"fmt"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// Encode implements [connectors.Connector]. Where the program leaves it to Ostler,
// calls are packed by its operations and carry their entries; what its fields do not
// take is refused. A program that packs itself and cannot be asked packs nothing,
// which the engine takes for a fault of its connector: nothing is sent.
func (c *conn) Encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	if c.encodes {
		return c.encoded(changes)
	}
	var sound []connectors.Change
	for _, change := range changes {
		if why := impossible(c.caps, change); why != "" {
			refused = append(refused, connectors.Refusal{Change: change, Reason: why})
			continue
		}
		sound = append(sound, change)
	}
	calls, untold := connectors.Pack(c.caps.Operations, sound, entriesBody)
	return calls, append(refused, untold...)
}

// entriesBody writes the entries of a call as send hands them on.
func entriesBody(_ string, entries []connectors.Entry) []byte {
	body, _ := json.Marshal(wire.Packed(entries)) // text, numbers and dates: nothing that can fail
	return body
}

func (c *conn) encoded(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
	calls, refused, err := c.ask(changes)
	if err != nil {
		c.log.Warn("a program could not pack what is to be told", zap.Error(err))
		return nil, nil
	}
	return calls, refused
}

// ask has the program pack changes. There is no context to end it but its silence.
func (c *conn) ask(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal, error) {
	var said wire.EncodeResult
	if err := c.call(context.Background(), wire.Encode, wire.EncodeParams{Changes: wire.Entries(changes)}, &said, nil); err != nil {
		return nil, nil, err
	}
	var calls []connectors.Call
	for _, w := range said.Calls {
		keys, err := wire.KeysOf(w.Keys)
		if err != nil {
			return nil, nil, err
		}
		calls = append(calls, connectors.Call{Operation: w.Operation, Keys: keys, Body: w.Body})
	}
	var refused []connectors.Refusal
	for _, w := range said.Refused {
		of, err := wire.Changes(w.Changes)
		if err != nil {
			return nil, nil, err
		}
		for _, change := range of {
			refused = append(refused, connectors.Refusal{Change: change, Reason: c.words(w.Reason)})
		}
	}
	return calls, refused, nil
}

// impossible says why a channel of these capabilities cannot hold a change, empty
// when it can.
func impossible(caps connectors.Capabilities, change connectors.Change) string {
	k, o := change.Key, change.Offer
	perRoom := k.Group == hotel.Availability && caps.StockPer == hotel.PerRoom
	switch {
	case k.Room == "":
		return "the room has no code"
	case perRoom && k.Rate != "":
		return "the count is kept for the room, not for each rate"
	case !perRoom && k.Rate == "":
		return "the rate has no code"
	case k.Occupancy < 0 || k.Group != hotel.Price && k.Occupancy != 0 || !caps.ByOccupancy(k.Rate) && k.Occupancy != 0:
		return "it takes no price for so many guests"
	case k.Group == hotel.Price && (o.Amount.Minor <= 0 || !o.Amount.Currency.Known()):
		return "a price is above zero, in a currency"
	}
	said := values(k.Group, o)
	for _, field := range hotel.Fields {
		n, of := said[field]
		if !of {
			continue
		}
		carried := caps.Fields[field]
		if n != 0 && carried.As != hotel.Exact || n == 0 && field == hotel.FieldAvailable && carried.As != hotel.Exact {
			return fmt.Sprintf("it has no word for %s", field)
		}
		if n < 0 || carried.Max > 0 && n > carried.Max || n != 0 && n < carried.Min {
			return fmt.Sprintf("%s of %d is outside %d to %d", field, n, carried.Min, carried.Max)
		}
	}
	return ""
}

// values are what an offer says of a group's fields, as numbers; 0 says nothing.
func values(g hotel.Group, o hotel.Offer) map[hotel.Field]int {
	closes := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch g {
	case hotel.Availability:
		return map[hotel.Field]int{hotel.FieldAvailable: o.Available}
	case hotel.Closures:
		return map[hotel.Field]int{
			hotel.FieldClosed: closes(o.Closed.Closed), hotel.FieldClosedToArrival: closes(o.Closed.Arrival),
			hotel.FieldClosedToDeparture: closes(o.Closed.Departure),
		}
	case hotel.Lengths:
		l := o.Lengths
		return map[hotel.Field]int{
			hotel.FieldMinStayArrival: l.MinStayArrival, hotel.FieldMinStayThrough: l.MinStayThrough,
			hotel.FieldMaxStayArrival: l.MaxStayArrival, hotel.FieldMaxStayThrough: l.MaxStayThrough,
			hotel.FieldMinAdvance: l.MinAdvance, hotel.FieldMaxAdvance: l.MaxAdvance,
		}
	case hotel.Price:
	}
	return nil
}

// Send implements [connectors.Connector].
func (c *conn) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	params := wire.SendParams{Operation: call.Operation, ID: call.ID, Version: call.Version}
	if c.encodes {
		params.Keys, params.Body = wire.Keys(call.Keys), call.Body
	} else {
		params.Entries = call.Body
	}
	var said wire.Answer
	if err := c.call(ctx, wire.Send, params, &said, nil); err != nil {
		return connectors.Answer{}, err
	}
	answer, err := said.Read()
	if err != nil {
		return connectors.Answer{}, nonsense(wire.Send, err)
	}
	if o := c.operation(call.Operation); !c.encodes {
		o.Spoil(&answer, call.Keys)
	}
	answer.Excerpt, answer.Ref = c.words(answer.Excerpt), c.words(answer.Ref)
	for k, v := range answer.Keys {
		v.Words = c.words(v.Words)
		answer.Keys[k] = v
	}
	return answer, nil
}

// operation returns the operation of that name.
func (c *conn) operation(name string) connectors.Operation {
	for _, o := range c.caps.Operations {
		if o.Name == name {
			return o
		}
	}
	return connectors.Operation{}
}
