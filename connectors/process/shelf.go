package process

import (
	"context"
	"errors"

	"ostler.example/connectors/process/wire"
)

// shelve keeps something on the channel's shelf for its program, or looks it up.
func (r *run) shelve(ctx context.Context, s *wire.Shelf) *wire.Shelved {
	out := &wire.Shelved{Number: s.Number}
	fail := func(err error) *wire.Shelved {
		out.Error = r.conceal.Replace(err.Error())
		return out
	}
	if r.env.Shelf == nil {
		return fail(errors.New("there is no shelf while the channel is only described"))
	}
	switch {
	case (s.Get == "") == (s.Put == ""):
		return fail(errors.New("say a name to get, or one to put a body under"))
	case s.Put != "":
		if err := r.env.Shelf.Put(ctx, s.Put, s.Body); err != nil {
			return fail(err)
		}
	default:
		body, err := r.env.Shelf.Get(ctx, s.Get)
		if err != nil {
			return fail(err)
		}
		if body != nil {
			out.Body = (*wire.Blob)(&body)
		}
	}
	return out
}
