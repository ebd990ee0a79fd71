package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// undoInput is what is said with the request to take a bulk update back.
type undoInput struct {
	DryRun bool `json:"dry_run,omitempty" doc:"Say what would change, and store nothing."`
}

func (s *server) registerAriUndo() {
	undo := huma.Operation{
		OperationID: "undo-ari-update", Method: http.MethodPost, Path: "/ari-updates/{id}/undo",
		Summary: "Take a bulk update back", Tags: []string{tagInventory},
		Description: "What held before the update is written again, by an update of its own, which is the answer. What was written again since is left as it is, " +
			"which the versions of the cells tell: nobody's later change is lost, and one undo after another takes nothing back twice. Takes inventory:write for an update of inventory, rates:write for the others.",
	}
	register(s, undo, needs(auth.InventoryWrite, auth.RatesWrite), func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the update has another ETag."`
		Body    *undoInput
	},
	) (*updated, error) {
		if in.Body != nil && in.Body.DryRun {
			seen, err := revisionSeen(in.IfMatch) // nothing changes: nobody has to send it
			if err != nil {
				return nil, err
			}
			of, would, err := s.desk.RehearseUndo(ctx, callerOf(ctx), in.ID, seen)
			return s.updated(ctx, rehearsed(of, would), false, err)
		}
		seen, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		upd, replayed, err := s.desk.UndoUpdate(ctx, callerOf(ctx), in.ID, seen)
		return s.updated(ctx, upd, replayed, err)
	})
}

// rehearsed is what taking an update back would come to.
func rehearsed(of hotel.AriUpdate, would hotel.Undoing) hotel.AriUpdate {
	return hotel.AriUpdate{
		PropertyID: of.PropertyID, Kind: of.Kind, Entries: of.Entries, CellsMatched: would.CellsChanged, CellsChanged: would.CellsChanged,
		CellsOpened: would.Opening, Oversold: would.Oversold,
	}
}
