package ledger

import "ostler.example/hotel"

// plannedSeverity is how urgent a planned overbooking is: a few days before the
// night somebody has to think of where the guests sleep.
func (t *tx) plannedSeverity(s *structure, channel string, first hotel.Date) (hotel.Severity, error) {
	ofChannel, ofProperty, err := t.policies(s.property.ID, channel)
	if err != nil {
		return "", err
	}
	if first <= s.property.BusinessDate(t.now)+hotel.Date(hotel.OverbookedWarning(ofChannel, ofProperty)) {
		return hotel.Warning, nil
	}
	return hotel.Info, nil
}

// agePlanned has the planned overbookings of a property that are near be urgent,
// and ends those that are over.
func (t *tx) agePlanned(s *structure) error {
	if err := t.endCrowds(s, func(*hotel.Conflict) bool { return true }); err != nil {
		return err
	}
	open, err := t.openConflicts(s.property.ID, hotel.ConflictPlanned)
	if err != nil {
		return err
	}
	for i := range open {
		c := &open[i]
		severity, err := t.plannedSeverity(s, c.ChannelID, c.Subject.Date)
		if err != nil {
			return err
		}
		if severity == c.Severity {
			continue
		}
		c.Severity = severity
		if err := t.changeConflict(ConflictChanged, c); err != nil {
			return err
		}
	}
	return nil
}

// leaveUntold leaves of planned overbookings the nights on which more rooms are
// overbooked than open conflicts tell of: one of a booking ends when it leaves, so it
// tells of one room; one of a fact tells of all.
func (c *crowding) leaveUntold(of *shortage) error {
	open, err := c.t.openConflicts(c.s.property.ID, hotel.ConflictPlanned)
	if err != nil {
		return err
	}
	sharing, told := c.b.Sharing(), map[hotel.Date]int{}
	for i := range open {
		facts, err := crowdFactsOf(&open[i])
		if err != nil {
			return err
		}
		rooms, err := c.t.crowdRooms(&open[i])
		if err != nil {
			return err
		}
		for _, n := range facts.Crowded {
			tells := -n.Net
			if ofBooking(&open[i]) {
				tells = 1
			}
			for d := n.From; d <= n.To; d++ {
				if room, known := c.b.Room(rooms(d)); known && sharing[room] == sharing[of.room] {
					told[d] += tells
				}
			}
		}
	}
	var untold []CrowdNight
	for _, n := range of.nights {
		for d := n.From; d <= n.To; d++ {
			if told[d] < -n.Net {
				untold = addCrowd(untold, d, -n.Net)
			}
		}
	}
	of.nights = untold
	return nil
}
