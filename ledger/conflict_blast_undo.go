package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// undoDraft is an update as it is to be taken back by whoever decides a conflict about
// it. It is drawn up beside the writer: it may be as large as updates are.
type undoDraft struct {
	prepared
	in      request
	update  string
	refused error // why it cannot be taken back
}

// busy is the code of what is refused only because others write the same.
const busy = "temporarily_unavailable"

// settling has a conflict settled by an option, for which it draws up what that takes
// back. settle is called again with another draft when somebody has changed meanwhile
// what it rests on.
func (l *Ledger) settling(ctx context.Context, id string, option func(*hotel.Conflict) string, settle func(*undoDraft) error) error {
	for range mostTries {
		if err := l.settlingOnce(ctx, id, option, settle); !errors.Is(err, errOverrun) {
			return err
		}
	}
	return hotel.Refuse(busy, "others keep changing the same nights; nothing was decided: decide again")
}

func (l *Ledger) settlingOnce(ctx context.Context, id string, option func(*hotel.Conflict) string, settle func(*undoDraft) error) error {
	c, err := readOne[hotel.Conflict](l.read.GetConflict(ctx, id))
	if err != nil {
		return settle(nil) // whose key is known need not find it
	}
	if c.Kind != hotel.ConflictBlastRadius || c.Status != hotel.ConflictOpen || option(&c) != hotel.OptionUndo {
		return settle(nil)
	}
	facts, err := blastFacts(&c)
	if err != nil {
		return err
	}
	draft := undoDraft{update: facts.UpdateID, prepared: prepared{w: l.boards.watch(c.PropertyID)}}
	defer l.boards.unwatch(c.PropertyID, draft.w)
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error { return l.draftUndo(ctx, q, &draft) })
	if _, refused := errors.AsType[*hotel.Refusal](err); refused {
		draft.refused, err = err, nil
	}
	if err != nil {
		return err
	}
	return settle(&draft)
}

func (l *Ledger) draftUndo(ctx context.Context, q *ledgerdb.Queries, d *undoDraft) error {
	if d.update == "" {
		return hotel.Refuse("not_available", "it was no update of rooms, prices or restrictions: change it back where it was changed, and the conflict ends by itself; or send it")
	}
	row, err := q.GetAriUpdate(ctx, d.update)
	if err != nil {
		return notFound(err)
	}
	d.in = undoRequest(row, 0, &undoing{})
	return l.prepare(ctx, q, d.in, &d.prepared)
}

// takeBack stores an update that takes another one back as it was drawn up. It reaches
// the tables and the house values piece by piece. Of one of which nothing is left to be
// taken back the update is empty.
func (t *tx) takeBack(update string) error {
	d := t.undo
	if d == nil || d.update != update {
		return errOverrun
	}
	if d.refused != nil {
		return d.refused
	}
	over, err := t.overrun(d.proposal, d.base)
	if err != nil {
		return err
	}
	if over {
		return errOverrun
	}
	upd := d.in.outcome(d.proposal, d.cells)
	first := t.heads.sequence + 1
	if upd.Sequence, err = t.storePrepared(d.in, d.prepared); err != nil {
		return err
	}
	return t.putUpdate(&upd, first, len(d.changes) == 0)
}

func blastFacts(c *hotel.Conflict) (facts BlastFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}
