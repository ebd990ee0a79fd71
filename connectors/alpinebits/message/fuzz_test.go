package message

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ostler.example/hotel"
)

// FuzzReadBaseRates: what is read of an answer about rates can be written and is read as
// the same again.
func FuzzReadBaseRates(f *testing.F) {
	addVariants(f, "base rates")
	f.Add(WriteFailure(BaseRated, Refusal{Code: CodeRate, Why: "none"}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		said, set, err := readBaseRates(raw)
		if err != nil || said.Failed {
			if len(set.Plans) > 0 && err == nil {
				t.Errorf("a failure has %d plans", len(set.Plans))
			}
			return
		}
		_, again, err := readBaseRates(WriteBaseRates(set))
		if diff := cmp.Diff(set, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("read again (-want +got):\n%s, %v", diff, err)
		}
	})
}

// FuzzReadPushed: no card stays in what a portal sends by itself, and what is kept of it is
// read as the same again.
func FuzzReadPushed(f *testing.F) {
	f.Add(ota("OTA_HotelResNotifRQ", `<HotelReservations>`+reservation+`</HotelReservations>`))
	f.Add(ota("OTA_HotelResNotifRQ", `<HotelReservations><HotelReservation ResStatus="Cancelled"><UniqueID Type="15" ID="R1"/></HotelReservation></HotelReservations>`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := ReadPushed(raw)
		for _, r := range all {
			if err != nil || bytes.Contains(r.Raw, []byte("<PaymentCard")) || bytes.Contains(r.Raw, []byte("<BankAcct")) {
				t.Errorf("of %q: %v and %q", raw, err, r.Raw)
			}
			if again, err := ReadReservation(r.Raw); err == nil && !cmp.Equal(again, kept(r)) {
				t.Errorf("what is kept of %+v is read as %+v", r, again)
			}
		}
	})
}

// FuzzReadQuestions: a question about reservations or rates is read as what can be asked,
// or refused.
func FuzzReadQuestions(f *testing.F) {
	f.Add(WriteRead(Hotel{Code: "H1"}, time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)))
	f.Add(ota("OTA_HotelRatePlanRQ", `<RatePlans><RatePlan><DateRange Start="2027-01-02" End="2027-01-09"/><RatePlanCandidates>
		<RatePlanCandidate RatePlanCode="BAR" RatePlanID="A"/></RatePlanCandidates><HotelRef HotelCode="H1"/></RatePlan></RatePlans>`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if h, since, err := ReadRead(raw); err == nil {
			again, at, err := ReadRead(WriteRead(h, since))
			// An instant is asked for to the second, and the zero one for all.
			if err != nil || again != h && !strings.ContainsAny(h.Code+h.Name, "\r\n\t\uFFFD") || !at.Equal(since.Truncate(time.Second)) && since.Year() > 0 && since.Year() < 9999 {
				t.Errorf("%+v since %v is read again as %+v since %v, %v", h, since, again, at, err)
			}
		}
		if q, err := ReadRatesQuestion(raw); err == nil && q.From != nil && q.To != nil && *q.To < *q.From {
			t.Errorf("%q asks from %v to %v", raw, q.From, q.To)
		}
	})
}

// FuzzReadReservation: what was kept of a reservation is read without harm.
func FuzzReadReservation(f *testing.F) {
	f.Add([]byte(reservation))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := ReadReservation(raw)
		if again, worse := ReadReservation(r.Raw); !cmp.Equal(again, kept(r)) || (err == nil) != (worse == nil) {
			t.Errorf("%+v is read again as %+v", r, again)
		}
	})
}

// FuzzTrimmed: an amount without the decimals that say nothing is worth as much.
func FuzzTrimmed(f *testing.F) {
	f.Add("299.000")
	f.Add(".")
	f.Fuzz(func(t *testing.T, text string) {
		was, err := hotel.ParseMoney(text, "EUR")
		is, worse := hotel.ParseMoney(trimmed(text), "EUR")
		if err == nil && (worse != nil || was != is) {
			t.Errorf("%q is %v, and without its last noughts %v, %v", text, was, is, worse)
		}
	})
}

// readBaseRates reads the answer to a question about rates.
func readBaseRates(raw []byte) (Reply, PlanSet, error) {
	reply, _, err := readReply(raw, BaseRated)
	if err != nil || reply.Failed {
		return reply, PlanSet{}, err
	}
	var q planMessage
	if err := xml.Unmarshal(raw, &q); err != nil {
		return Reply{}, PlanSet{}, err
	}
	content, err := q.content()
	return reply, content, err
}
