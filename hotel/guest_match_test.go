package hotel

import "testing"

func TestMatch(t *testing.T) {
	of := func(id, last, email string) GuestProfile {
		return GuestProfile{Entity: Entity{ID: id}, Guest: Guest{LastName: last, Email: email}, Status: GuestActive}
	}
	ann := of("ann", "Lee", "ann@example.com")
	reachable := ann
	reachable.Phone, reachable.BirthDate = "+49 30 111", "1980-01-01"
	gone := ann
	gone.Status = GuestMerged
	for name, test := range map[string]struct {
		g         Guest
		known     []GuestProfile
		is        string
		suggested int
	}{
		"nobody has the address":           {Guest{LastName: "Lee", Email: "ann@example.com"}, nil, "", 0},
		"the same address and last name":   {Guest{LastName: " LEE", Email: "Ann@Example.com "}, []GuestProfile{ann}, "ann", 0},
		"somebody else at home":            {Guest{LastName: "Kim", Email: "ann@example.com"}, []GuestProfile{ann}, "", 0},
		"without an address":               {Guest{LastName: "Lee"}, []GuestProfile{ann}, "", 0},
		"an alias of a channel":            {Guest{LastName: "Lee", Email: "x.1@guest.booking.com"}, []GuestProfile{of("a", "Lee", "x.1@guest.booking.com")}, "", 0},
		"the number as it is written":      {Guest{LastName: "Lee", Email: "ann@example.com", Phone: "+4930111"}, []GuestProfile{reachable}, "ann", 0},
		"another number":                   {Guest{LastName: "Lee", Email: "ann@example.com", Phone: "+4930222"}, []GuestProfile{reachable}, "", 1},
		"another date of birth":            {Guest{LastName: "Lee", Email: "ann@example.com", BirthDate: "1981-01-01"}, []GuestProfile{reachable}, "", 1},
		"one speaks against, one does not": {Guest{LastName: "Lee", Email: "ann@example.com", Phone: "+4930222"}, []GuestProfile{reachable, of("b", "Lee", "ann@example.com")}, "b", 0},
		"merged into another":              {Guest{LastName: "Lee", Email: "ann@example.com"}, []GuestProfile{gone}, "", 0},
		"a household of three names": {
			Guest{LastName: "Lee", Email: "ann@example.com"},
			[]GuestProfile{of("a", "Kim", "ann@example.com"), of("b", "Park", "ann@example.com"), ann},
			"ann", 0,
		},
		"an agency": {
			Guest{LastName: "Lee", Email: "ann@example.com"},
			[]GuestProfile{of("a", "Kim", "ann@example.com"), of("b", "Park", "ann@example.com"), of("c", "Choi", "ann@example.com"), ann},
			"", 0,
		},
	} {
		got, is := Match(test.g, test.known), ""
		if got.Is != nil {
			is = got.Is.ID
		}
		if is != test.is || len(got.Suggested) != test.suggested {
			t.Errorf("%s: is %q, may be %v", name, is, got.Suggested)
		}
	}
}

func TestRelay(t *testing.T) {
	for email, want := range map[string]bool{
		"a.1@guest.booking.com": true, "b@M.ExpediaPartnerCentral.com": true, "c@x.guest.airbnb.com": true,
		"guest.booking.com@example.com": false, "d@myguest.booking.com": false, "": false,
	} {
		if Relay(email) != want {
			t.Errorf("%s: %v", email, !want)
		}
	}
}
