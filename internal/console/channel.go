package console

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// channelPage is one channel with how it stands, and what is still to be done until it
// sells.
type channelPage struct {
	channelHealth
	Steps     []setupStep // while it is set up
	Level     exposure.Level
	Limits    []hotel.Limit
	Stands    []standing // field groups of its nights, by how each stands
	Shown     []setting
	Mapped    int // codes
	Runs      []hotel.SyncRun
	MayChange bool
	MaySell   bool // may let it sell the plans that are mapped
}

// Mine is how well it keeps up.
func (p channelPage) Mine() channelHealth { return p.channelHealth }

// standing is how many field groups of nights stand in some way.
type standing struct {
	State hotel.SightState
	N     int
}

// setupStep is a step on the way to selling.
type setupStep struct {
	Name string // settings, test, mapping, shadow, plan
	Done bool
	Next bool // it is the one to take now
}

// setup are the steps of a channel that does not sell yet; nil: it does.
func setup(c desk.ChannelView, mapped int) []setupStep {
	live := c.Status == hotel.ChannelActive && !c.Shadow || c.Status == hotel.Paused || c.Status == hotel.Disconnected
	if live {
		return nil
	}
	steps := []setupStep{
		{Name: "settings", Done: c.Configured != nil},
		{Name: "test", Done: c.Status != hotel.Draft},
		{Name: "mapping", Done: mapped > 0},
		{Name: "shadow", Done: c.Status == hotel.ChannelActive},
		{Name: "plan"},
	}
	for i := range steps {
		if !steps[i].Done {
			steps[i].Next = true
			break
		}
	}
	return steps
}

// channel shows one channel.
func (c *Console) channel(v *visit) error {
	channel, err := v.ofHouse(c.desk.Channel)
	if err != nil {
		return err
	}
	names, err := v.productNames()
	if err != nil {
		return err
	}
	p := channelPage{channelHealth: v.health(channel, names), Level: exposure.CloseOnly, MayChange: v.may(auth.ChannelsWrite)}
	m, err := c.desk.Mappings(v.r.Context(), v.caller, channel.ID)
	if err != nil {
		return err
	}
	for _, one := range m.Mappings {
		if !one.Retired {
			p.Mapped++
		}
	}
	p.Steps = setup(channel, p.Mapped)
	if able, known := abilities(channel); known {
		p.Level, p.Limits = exposure.LevelOf(able.Terms), able.Limits
	}
	if channel.Tally != nil {
		for _, s := range hotel.SightStates {
			if n := channel.Tally.States[s]; n > 0 {
				p.Stands = append(p.Stands, standing{s, n})
			}
		}
	}
	if p.Shown, err = v.shownSettings(channel); err != nil {
		return err
	}
	if p.Runs, err = c.desk.SyncRuns(v.r.Context(), v.caller, []string{channel.ID}, hotel.SyncRunFilter{Limit: 8}); err != nil {
		return err
	}
	return v.show("channel", http.StatusOK, p)
}

// shownSettings are the settings of a channel, secrets by the fact that they are set.
func (v *visit) shownSettings(channel desk.ChannelView) ([]setting, error) {
	connectors, err := v.c.desk.Connectors(v.caller)
	if err != nil || channel.Configured == nil {
		return nil, err
	}
	for _, k := range connectors {
		if k.Name == channel.Connector {
			list, err := settingsOf(k.Settings, channel.Configured.Shown)
			return slices.DeleteFunc(list, func(s setting) bool { return s.Value == "" && !s.Kept }), err
		}
	}
	return nil, nil
}

// Every is how long a limit lasts.
func (v view) Every(d time.Duration) string { return v.words.duration(d) }

// Rhythm is when something is done by a schedule: in words where that is an interval, else
// as cron writes it.
func (v view) Rhythm(schedule string) string {
	every, interval := strings.CutPrefix(schedule, "@every ")
	d, err := time.ParseDuration(every)
	if !interval || err != nil {
		return schedule
	}
	return v.T("channel.rhythm", v.words.duration(d))
}

// For is how long something has been so.
func (v view) For(since time.Time) string {
	return v.words.duration(max(0, v.c.clock.Now().Sub(since)))
}

// Seconds is how long something takes, of which a plan has a fraction.
func (v view) Seconds(s float64) string {
	return v.words.duration(time.Duration(s * float64(time.Second)))
}

// testChannel asks a channel's far side whether it is there, and shows what it says.
func (c *Console) testChannel(v *visit) error {
	channel, err := v.mine()
	if err != nil {
		return err
	}
	reached, err := c.desk.TestChannel(v.r.Context(), v.caller, channel.ID)
	if err != nil {
		return err
	}
	return v.show("channel_test", http.StatusOK, struct {
		desk.ChannelView
		Reached hotel.Reached
	}{channel, reached})
}

// shadowChannel has what a channel is to show worked out, and tells it nothing.
func (c *Console) shadowChannel(v *visit) error {
	return v.turnChannel("shadowed", func(channel desk.ChannelView, r *reader) error {
		_, _, err := c.desk.Shadow(v.r.Context(), v.caller, channel.ID, r.revision())
		return err
	})
}

// disconnect ends a channel; it is closed first.
func (c *Console) disconnect(v *visit) error {
	return v.turnChannel("disconnected", func(channel desk.ChannelView, r *reader) error {
		_, _, err := c.desk.Disconnect(v.r.Context(), v.caller, channel.ID, r.revision(), r.Get("force") != "")
		return err
	})
}

// turnChannel does something to the channel that the address names.
func (v *visit) turnChannel(done string, do func(desk.ChannelView, *reader) error) error {
	channel, err := v.mine()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	if err := do(channel, r); err != nil {
		return err
	}
	if err := r.refusal(); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("channels/"+channel.ID)+"?done="+done, http.StatusSeeOther)
	return nil
}
