package sync_test

import (
	"context"
	"crypto/sha256"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// order books directly, as a client does that does not know what became of its request
// and sends it once more: under its key it is the same booking, without one it is
// another. Now and then the hotel's side ends in between.
func (w *world) order(q hotel.NewReservation) ([]hotel.Reservation, error) {
	ctx, once := context.Background(), hotel.Once{}
	if w.habits.retries && w.more.IntN(4) > 0 {
		w.keys++
		once = hotel.Once{Client: "cl_desk", Method: "POST", Path: "/v1/reservations", Key: fmt.Sprint("key ", w.keys), Fingerprint: sha256.Sum256([]byte(fmt.Sprint(q)))}
	}
	create := func() (hotel.Reservation, bool, error) { return w.ldg.CreateReservation(ctx, testkit.Tester, once, q) }
	r, _, err := create()
	if err != nil || !w.habits.retries || w.more.IntN(3) > 0 {
		return []hotel.Reservation{r}, err
	}
	if w.habits.kills && w.more.IntN(2) == 0 {
		w.kill()
		w.mine()
	}
	again, known, err := create()
	w.count("request once more")
	switch {
	case once.Key == "" && err == nil:
		return []hotel.Reservation{r, again}, nil
	case once.Key == "":
		return []hotel.Reservation{r}, nil // there was no second room, or the plan is closed by now
	case err != nil || !known || again.ID != r.ID:
		w.wrong(2, "what was booked as %s is %s when it is sent once more under its key: %v", r.ID, again.ID, err)
	}
	return []hotel.Reservation{r}, nil
}
