package sync_test

// worldMistakes are lines of the program that are written wrongly and concern what
// happens in some worlds only: without it no world finds them.
var worldMistakes = []mistake{
	{"a closing is told with the prices", "sync/plan/lane.go", "		if lowers(c) {\n			return lane.Lower\n", "		if lowers(c) {\n			return lane.Rates\n"},
	{
		"of a booking of several rooms the first is taken", "ledger/receive_rooms.go",
		"	for i := range m.r.Booking.Rooms {\n		if err := m.applyRoom(", "	for i := range m.r.Booking.Rooms[:1] {\n		if err := m.applyRoom(",
	},
	{"a room that is given up is kept", "ledger/receive_rooms.go", "	for _, at := range gone {\n", "	for _, at := range gone[:0] {\n"},
	{
		"a cancellation turns out who is in the house", "hotel/stay/message.go",
		"	case hotel.CheckedIn:\n		if cancelled {\n			return Effect{To: s, Nights: NoNights, Issue: CancelledInHouse}",
		"	case hotel.CheckedIn:\n		if cancelled {\n			return Effect{To: hotel.Cancelled, Nights: AllNights, Price: true}",
	},
	{"a reference used again is taken for the old booking", "ledger/receive_reuse.go", "m.begins(&all[newest]); begins {", "m.begins(&all[newest]); begins && asks {"},
	{"a room is free when its channel is asked for it", "ledger/reservation_step.go", "asks && t.owned(r) {", "asks && t.owned(r) && a != stay.Cancel {"},
	{"a channel is out of date after three minutes", "ledger/stale.go", "const staleAfter = time.Minute", "const staleAfter = 3 * time.Minute"},
	{
		"a message that is not taken is logged as it came", "sync/inbound/sink.go",
		"zap.String(\"message\", m.Key), zap.Error(err))\n		return got, err\n", "zap.String(\"message\", string(m.Raw)), zap.Error(err))\n		return got, err\n",
	},
	{"the desk sells a room that is gone", "ledger/sell.go", "	case by.overbook:\n		r.Overbooked", "	case by.overbook || why == noRooms:\n		r.Overbooked"},
	{"what cannot be begun counts as stored", "ledger/writer.go", "		it.done <- fmt.Errorf(\"begin: %w\", err)\n", "		it.done <- nil\n"},
	{"a key is not looked up", "ledger/once.go", "	if o.Key == \"\" {\n		return \"\", false, nil\n	}\n	t.once = o\n", "	t.once = o\n	if o.Key != \"never\" {\n		return \"\", false, nil\n	}\n"},
	{
		"what is wanted by then is taken as what was sent", "ledger/settle.go",
		"			g.applied(c.Value, d.Sequence, t.micros())\n", "			g.applied(*g.next(), d.Sequence, t.micros())\n",
	},
}
