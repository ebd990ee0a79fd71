package mapping

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
)

// Confidence is how sure a proposal is.
type Confidence string

// How sure a proposal is: the same name or code and nothing near it; most of the name;
// a guess.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Proposal is a product of ours that a remote one may be. Nothing is mapped by it.
type Proposal struct {
	RoomTypeID, RatePlanID string
	Confidence             Confidence
	Reasons                []Reason
}

// House is what may be mapped.
type House struct {
	ChannelID string
	Currency  hotel.Currency // that the channel is told
	Rooms     []hotel.RoomType
	Plans     []hotel.RatePlan
	Mappings  []hotel.Mapping // those that there are
}

// From these scores on, of 100, a proposal is sure, likely, or made at all. One that
// another comes close to is a guess.
const (
	sure   = 85
	likely = 60
	worth  = 40
	near   = 15
)

// guess is one thing of ours that a remote one may be.
type guess struct {
	at      int // of its list
	score   float64
	reasons []Reason
}

// Propose returns a proposal for each of the offered products, in their order; nil for
// one that is mapped, or that nothing of ours is like.
func (h House) Propose(offered []hotel.RemoteProduct) []*Proposal {
	out := make([]*Proposal, len(offered))
	for i, p := range offered {
		if h.mapped(p) {
			continue
		}
		room, roomSure := h.room(p)
		if room == nil {
			continue
		}
		plan, planSure := h.plan(p, h.Rooms[room.at])
		if plan == nil {
			continue
		}
		out[i] = &Proposal{
			RoomTypeID: h.Rooms[room.at].ID, RatePlanID: h.Plans[plan.at].ID,
			Confidence: weaker(roomSure, planSure), Reasons: slices.Concat(room.reasons, plan.reasons),
		}
	}
	return out
}

// mapped reports whether something is sold as the remote product.
func (h House) mapped(p hotel.RemoteProduct) bool {
	return slices.ContainsFunc(h.Mappings, func(m hotel.Mapping) bool { return !m.Retired && m.RemoteRoom == p.Room && m.RemoteRate == p.Rate })
}

// room guesses which room type a remote room is.
func (h House) room(p hotel.RemoteProduct) (*guess, Confidence) {
	for _, m := range h.Mappings { // one remote room is one room type
		at := slices.IndexFunc(h.Rooms, func(r hotel.RoomType) bool { return r.ID == m.RoomTypeID })
		if at >= 0 && !m.Retired && m.RemoteRoom == p.Room {
			return &guess{at, 100, []Reason{because("room_mapped", h.Rooms[at].Name)}}, High
		}
	}
	theirs := read(called(p.RoomName, p.Room))
	if p.Adults > 0 {
		theirs.guests = 0 // it is told, which counts for more than a word of the name
	}
	var names []name
	for _, r := range h.Rooms {
		names = append(names, read(r.Name))
	}
	weigh := weights(names)
	var guesses []guess
	for i, r := range h.Rooms {
		if r.Status != hotel.Active {
			continue
		}
		g := guess{at: i, score: alike(theirs, names[i], weigh)}
		switch {
		case strings.EqualFold(p.Room, r.Code):
			g.score, g.reasons = 100, []Reason{because("room_code", r.Code)}
		case g.score > 0:
			g.reasons = []Reason{because("room_name", called(p.RoomName, p.Room), r.Name)}
		}
		if a, b := theirs.beds, names[i].beds; a != b && a != "" && b != "" {
			g.score *= 0.6
			g.reasons = append(g.reasons, because("beds", a, b))
		}
		switch n := theirs.guests; {
		case n == 0:
		case n > r.MaxOccupancy:
			g.score *= 0.6
			g.reasons = append(g.reasons, because("guests_more", strconv.Itoa(n), strconv.Itoa(r.MaxOccupancy)))
		case n == r.BaseOccupancy || n == r.MaxOccupancy:
			g.score = min(100, g.score+5)
			g.reasons = append(g.reasons, because("guests_same", strconv.Itoa(n)))
		}
		switch n := p.Adults; {
		case n <= 0:
		case n == r.MaxAdults:
			g.score = min(100, g.score+5)
			g.reasons = append(g.reasons, because("adults_same", strconv.Itoa(n)))
		default:
			g.score *= 0.8
			g.reasons = append(g.reasons, because("adults_not", strconv.Itoa(n), strconv.Itoa(r.MaxAdults)))
		}
		guesses = append(guesses, g)
	}
	return best(guesses, func(at int) string { return h.Rooms[at].Name })
}

// plan guesses which rate plan of a room a remote rate is.
func (h House) plan(p hotel.RemoteProduct, room hotel.RoomType) (*guess, Confidence) {
	theirs := read(called(p.RateName, p.Rate))
	theirs.board = cmp.Or(p.Board, theirs.board)
	ours := read(room.Name)
	theirs.words = slices.DeleteFunc(theirs.words, func(w string) bool { return slices.Contains(ours.words, w) && len(theirs.words) > 1 })
	var names []name
	for _, plan := range h.Plans {
		names = append(names, read(plan.Name))
	}
	weigh := weights(names)
	var guesses []guess
	for i, plan := range h.Plans {
		if plan.Status != hotel.Active || !slices.Contains(plan.RoomTypeIDs, room.ID) {
			continue
		}
		sold := slices.Contains(plan.SoldBy, h.ChannelID)
		g := guess{at: i, score: alike(theirs, names[i], weigh)}
		switch {
		case p.Rate == "":
			if !sold {
				continue
			}
			g.score, g.reasons = likely, []Reason{because("no_rates", plan.Name)}
		case h.rated(p.Rate, plan.ID):
			g.score, g.reasons = 100, []Reason{because("rate_mapped", plan.Name)}
		case strings.EqualFold(p.Rate, plan.Code):
			g.score, g.reasons = 100, []Reason{because("rate_code", plan.Code)}
		case g.score > 0:
			g.reasons = []Reason{because("rate_name", called(p.RateName, p.Rate), plan.Name)}
		}
		switch board := plan.MealPlan; {
		case theirs.board == "" || board == "" || p.Rate == "":
		case theirs.board == board:
			g.score = min(100, g.score+10)
			g.reasons = append(g.reasons, because("board_same", board))
		default:
			g.score *= 0.3
			g.reasons = append(g.reasons, because("board_not", theirs.board, board))
		}
		if !sold {
			g.reasons = append(g.reasons, because("not_sold", plan.Name))
		}
		guesses = append(guesses, g)
	}
	return best(guesses, func(at int) string { return h.Plans[at].Name })
}

// rated reports whether a remote rate is a plan in another room.
func (h House) rated(rate, plan string) bool {
	return slices.ContainsFunc(h.Mappings, func(m hotel.Mapping) bool { return !m.Retired && m.RemoteRate == rate && m.RatePlanID == plan })
}

// best returns the nearest guess and how sure it is; nil where none is near.
func best(guesses []guess, nameOf func(at int) string) (*guess, Confidence) {
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(b.score, a.score) })
	if len(guesses) == 0 || guesses[0].score < worth {
		return nil, ""
	}
	first := guesses[0]
	of := Low
	switch {
	case len(guesses) > 1 && first.score-guesses[1].score < near:
		first.reasons = append(first.reasons, because("near", nameOf(guesses[1].at)))
	case first.score >= sure:
		of = High
	case first.score >= likely:
		of = Medium
	}
	return &first, of
}

// weaker returns the less sure of two.
func weaker(a, b Confidence) Confidence {
	order := []Confidence{Low, Medium, High}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// called is a name, or the code where there is none.
func called(name, code string) string { return cmp.Or(name, code) }

// weights returns how much a word says among these names: less the more have it.
func weights(names []name) func(word string) float64 {
	have := map[string]int{}
	for _, n := range names {
		for _, w := range n.words {
			have[w]++
		}
	}
	return func(word string) float64 { return 1 / float64(max(1, have[word])) }
}
