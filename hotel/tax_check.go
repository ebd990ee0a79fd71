package hotel

// What a tax is measured on, and who takes it from the guest.
const (
	TaxOnRoom          = "room"
	TaxOnRoomAndMeals  = "room_and_meals"
	CollectedByHotel   = "hotel"
	CollectedByChannel = "channel"
	CollectedAsSaid    = "as_channel_says"
)

// maxTaxes is how many taxes a property may have.
const maxTaxes = 50

func checkTaxes(f checkup, taxes []Tax, c Currency) {
	f.count("taxes", len(taxes), 0, maxTaxes)
	seen := map[string]bool{}
	for i := range taxes {
		at := f.in("taxes", i)
		taxes[i].check(at, c)
		at.once(seen, "code", taxes[i].Code)
	}
}

func (t *Tax) check(f checkup, c Currency) {
	f.matches("code", t.Code, codeForm, Say(codeWords))
	f.name("name", t.Name, maxName)
	oneOf(f, "kind", t.Kind, PercentTax, PerRoomNight, PerPersonTax, PerStay)
	if t.Kind == PercentTax {
		f.number("value", t.Value, 0, 100, 4)
	} else {
		f.number("value", t.Value, 0, maxAmount, c.Exponent())
	}
	f.within("age_from", t.AgeFrom, 0, 150)
	f.within("max_nights", t.MaxNights, 0, MaxAdvance)
	f.count("season", len(t.Seasons), 0, maxTaxes)
	for i, s := range t.Seasons {
		f.in("season", i).dates("to", s.From, s.To)
	}
	if t.ValidFrom != nil && t.ValidTo != nil {
		f.dates("valid_to", *t.ValidFrom, *t.ValidTo)
	}
	f.money("cap", t.Cap, c)
	oneOf(f, "base", t.Base, TaxOnRoom, TaxOnRoomAndMeals)
	oneOf(f, "collected_by", t.CollectedBy, CollectedByHotel, CollectedByChannel, CollectedAsSaid)
	oneOf(f, "counts_as", t.CountsAs, VAT, CityTax, Fee)
}
