package hotel

import (
	"regexp"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/text/language"
)

// The longest texts that are kept.
const (
	maxName        = 200
	maxDescription = 5000
)

// Complete fills in what a property need not say.
func (p *Property) Complete() {
	fill(&p.CheckIn, "15:00")
	fill(&p.CheckOut, "11:00")
	fill(&p.DayRoll, "03:00")
	fill(&p.ReleaseTime, "18:00")
	fill(&p.HorizonDays, 730)
	fill(&p.Mode, DerivedMode)
	fill(&p.Truth.Stock, ByOstler)
	fill(&p.Truth.Prices, ByOstler)
	fill(&p.Truth.Restrictions, ByOstler)
	fill(&p.StayRecording, Assumed)
	fill(&p.Status, Active)
	for i := range p.Taxes {
		fill(&p.Taxes[i].Base, TaxOnRoom)
		fill(&p.Taxes[i].CollectedBy, CollectedByHotel)
	}
}

// fill sets what has no value.
func fill[V comparable](v *V, value V) {
	var none V
	if *v == none {
		*v = value
	}
}

// Check refuses a property that cannot be, telling everything that is wrong with
// it. What need not be said must have been filled in.
func (p *Property) Check() error {
	f := newCheckup()
	if !ValidID(p.ID) {
		f.add("id", "pattern", "must be 1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit in front")
	}
	f.name("name", p.Name, maxName)
	f.text("legal_name", p.LegalName, maxName)
	f.zone("time_zone", p.TimeZone)
	f.currency("currency", p.Currency)
	f.country("country", p.Country)
	p.Address.check(f.in("address"))
	p.Geo.check(f.in("geo"))
	if p.Phone != "" && !phoneForm.MatchString(p.Phone) {
		f.add("phone", "format", "must be a number of E.164, such as +4930123456")
	}
	f.email("email", p.Email)
	f.clock("check_in_time", p.CheckIn)
	f.clock("check_out_time", p.CheckOut)
	f.clock("day_roll_time", p.DayRoll)
	f.clock("release_time", p.ReleaseTime)
	f.within("booking_horizon_days", p.HorizonDays, 1, MaxAdvance)
	f.in("cut_off").cutOff(p.CutOff)
	checkTaxes(f, p.Taxes, p.Currency)
	checkAgeBands(f, p.AgeBands)
	oneOf(f, "availability_mode", p.Mode, DerivedMode, GivenMode)
	oneOf(f.in("truth"), "stock", p.Truth.Stock, ByOstler, ByPMS)
	oneOf(f.in("truth"), "prices", p.Truth.Prices, ByOstler, ByPMS)
	oneOf(f.in("truth"), "restrictions", p.Truth.Restrictions, ByOstler, ByPMS)
	oneOf(f, "stay_recording", p.StayRecording, Assumed, Recorded)
	checkSegments(f, p.MarketSegments)
	f.metadata(p.Metadata)
	oneOf(f, "status", p.Status, Active, Suspended, Archived)
	return f.refusal()
}

func (f checkup) zone(member, name string) {
	if name == "" {
		f.add(member, "required", "is missing")
	} else if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		f.add(member, "enum", "is no time zone of the IANA, such as Europe/Berlin")
	}
}

func (f checkup) currency(member string, c Currency) {
	if c == "" {
		f.add(member, "required", "is missing")
	} else if !c.Known() {
		f.add(member, "enum", "is no currency of ISO 4217, such as EUR")
	}
}

func (f checkup) country(member, code string) {
	if code == "" {
		f.add(member, "required", "is missing")
		return
	}
	region, err := language.ParseRegion(code)
	if err != nil || !region.IsCountry() || region.String() != code {
		f.add(member, "enum", "is no country of ISO 3166-1, such as DE")
	}
}

func (a Address) check(f checkup) {
	f.text("line1", a.Line1, maxName)
	f.text("line2", a.Line2, maxName)
	f.text("city", a.City, maxName)
	f.text("region", a.Region, maxName)
	f.text("postal_code", a.PostalCode, 20)
}

func (g *Geo) check(f checkup) {
	if g != nil {
		f.degrees("lat", g.Lat, 90)
		f.degrees("lon", g.Lon, 180)
	}
}

var degreesForm = regexp.MustCompile(`^-?\d{1,3}(\.\d{1,9})?$`)

func (f checkup) degrees(member, s string, most int64) {
	if !degreesForm.MatchString(s) || decimal.RequireFromString(s).Abs().GreaterThan(decimal.NewFromInt(most)) {
		f.add(member, "format", "must be decimal degrees from -%d to %d, as a string", most, most)
	}
}

func checkAgeBands(f checkup, bands []AgeBand) {
	f.count("age_bands", len(bands), 0, 6)
	seen, next := map[string]bool{}, 0
	for i, b := range bands {
		at := f.in("age_bands", i)
		at.matches("code", b.Code, codeForm, Say(codeWords))
		at.once(seen, "code", b.Code)
		switch {
		case b.FromAge < next:
			at.add("from_age", "min", "is %d; the bands begin at 0 and must not overlap, so it must be %d", b.FromAge, next)
		case b.FromAge > next:
			at.add("from_age", "max", "is %d; the bands begin at 0 and leave no gap, so it must be %d", b.FromAge, next)
		}
		at.within("to_age", b.ToAge, b.FromAge+1, 150)
		oneOf(at, "counts_as", b.CountsAs, Infant, Child, Adult)
		next = b.ToAge
	}
}

func checkSegments(f checkup, segments []MarketSegment) {
	f.count("market_segments", len(segments), 0, 50)
	seen := map[string]bool{}
	for i, s := range segments {
		at := f.in("market_segments", i)
		at.matches("code", s.Code, codeForm, Say(codeWords))
		at.once(seen, "code", s.Code)
		at.name("name", s.Name, maxName)
	}
}
