package console

import (
	"cmp"
	"strconv"
	"strings"

	"ostler.example/hotel"
)

// labels tell what a form calls a field: by the name of the field, or by that of the member
// that it becomes, with a dot for each step into it; "" where the form has none of that name.
type labels func(name string) string

// mistake is what is wrong with one field of a form.
type mistake struct {
	Pointer string // in what was sent on; nobody is shown it
	Detail  string
	Said    string // the detail after what the form calls the field
}

// mistakeIn is a fault of what was sent, as of a form.
func (v *visit) mistakeIn(item hotel.RefusedItem, of labels) mistake {
	m := mistake{item.Pointer, item.Detail, item.Detail}
	if label := of.label(item.Pointer); label != "" {
		m.Said = v.words.T("form.wrong", label, item.Detail)
	}
	return m
}

// label is what the form calls the field that a pointer leads to, or the nearest one that it
// has around it. Places in lists say nothing, and neither does where in a body the form lies.
func (of labels) label(pointer string) string {
	var steps []string
	for _, step := range strings.FieldsFunc(pointer, func(r rune) bool { return r == '/' || r == '.' }) {
		if _, err := strconv.Atoi(step); err != nil {
			steps = append(steps, step)
		}
	}
	for end := len(steps); end > 0; end-- {
		for from := range end {
			if label := of(strings.Join(steps[from:end], ".")); label != "" {
				return label
			}
		}
	}
	return ""
}

// called are labels whose texts have the keys of a map.
func (v *visit) called(keys map[string]string) labels {
	return func(name string) string {
		if key := keys[name]; key != "" {
			return v.words.T(key)
		}
		return ""
	}
}

// The fields of the forms, where their names are not the keys of their labels. What a member
// is called stands beside what its field is, where that is another word.
var (
	bookFields = map[string]string{
		"check_in": "trait.check_in", "check_out": "trait.check_out", "adults": "trait.adults", "children": "book.ages", "offer": "book.offers",
		"first_name": "book.first_name", "last_name": "book.last_name", "email": "booking.email", "phone": "booking.phone", "notes": "trait.notes",
		"room_type_id": "trait.room", "rate_plan_id": "trait.plan", "room_number": "trait.number", "expected_arrival_time": "trait.arrival",
	}
	decisionFields = map[string]string{
		"amount": "trait.total", "cost": "decision.cost", "room_type_id": "trait.room", "rate_plan_id": "trait.plan", "room_number": "trait.number", "check_in": "trait.check_in", "check_out": "trait.check_out",
	}
	changeFields = map[string]string{
		"from": "change.from", "to": "change.to", "what": "change.what", "room": "change.rooms", "plan": "change.plans", "value": "change.value",
	}
	guardFields = map[string]string{
		"floor": "plan.floor_is", "ceiling": "plan.ceiling_is", "max_change": "guards.max_change", "max_change_pct": "guards.max_change", "too_high": "guards.too_high",
	}
	planFields = map[string]string{
		"name": "plan.name", "code": "plan.code", "meal_plan": "plan.meal", "pricing_model": "plan.pricing", "tax_mode": "plan.tax", "guarantee": "trait.guarantee",
		"audience": "plan.audience", "position": "plan.position", "room": "plan.rooms", "room_type_ids": "plan.rooms", "sold_by": "plan.sold_by",
		"parent": "plan.parent", "rate_plan_id": "plan.parent", "kind": "plan.by", "value": "plan.value", "per": "plan.per", "rounding": "plan.rounding",
		"inherit": "plan.inherits", "derived_from": "plan.derived",
		"policy": "plan.policy_kind", "cancellation_policy": "plan.policy", "step": "plan.step", "steps": "plan.step", "step.days": "plan.days_before", "days_before": "plan.days_before",
		"step.time": "plan.time", "time": "plan.time", "penalty": "plan.penalty", "penalty.value": "plan.value", "step.value": "plan.value",
		"no_show": "plan.no_show", "no_show.value": "plan.no_show_value", "no_show_value": "plan.no_show_value",
		"min_stay_arrival": "field.min_stay_arrival", "min_stay_through": "field.min_stay_through", "max_stay_arrival": "field.max_stay_arrival", "max_stay_through": "field.max_stay_through",
		"min_advance_days": "field.min_advance_days", "max_advance_days": "field.max_advance_days",
		"cut_off": "plan.cut_off_days", "cut_off_days": "plan.cut_off_days", "cut_off.days_before": "plan.cut_off_days", "cut_off_time": "plan.cut_off_time", "cut_off.time": "plan.cut_off_time",
		"from": "change.from", "date_from": "change.from", "to": "change.to", "date_to": "change.to", "floor": "plan.floor_is", "ceiling": "plan.ceiling_is",
		"limit": "plan.limit", "price_limits": "plan.limit", "limit.room": "plan.limit_rooms", "price_limits.room_type_ids": "plan.limit_rooms",
	}
	ruleFields = map[string]string{
		"name": "plan.name", "priority": "rules.priority", "plan": "rules.plans", "rate_plan_ids": "rules.plans", "room": "rules.rooms", "room_type_ids": "rules.rooms",
		"from": "change.from", "date_from": "change.from", "sim_from": "change.from", "to": "change.to", "date_to": "change.to", "sim_to": "change.to", "day": "change.weekdays", "days_of_week": "change.weekdays",
		"conditions": "rules.condition", "metric": "rules.metric", "op": "rules.op", "if.value": "rules.condition", "conditions.value": "rules.condition", "if.to": "rules.to",
		"hysteresis": "rules.hysteresis", "hysteresis_pct": "rules.hysteresis", "changes": "rules.changes", "max_changes_per_day": "rules.changes",
		"action": "plan.by", "action.value": "plan.value", "value": "plan.value", "rounding": "plan.rounding", "floor": "rules.floor", "ceiling": "rules.ceiling",
	}
	channelFields = map[string]string{
		"name": "plan.name", "schedule": "channel.schedule", "read_back": "channel.read_back", "days": "channel.days", "weight": "channel.weight", "priority": "channel.priority",
		"markup": "channel.markup", "markup.kind": "channel.markup_kind", "markup_kind": "channel.markup_kind", "commission": "channel.commission", "settings": "channel.settings",
	}
	mappingFields = map[string]string{
		"accepted_by": "channel.accepted_by", "ours": "mapping.ours", "guests": "mapping.guests", "room": "mapping.room_code", "rate": "mapping.rate_code", "rate_plan_id": "mapping.ours", "room_type_id": "mapping.ours",
		"remote_room_id": "mapping.room_code", "remote_rate_id": "mapping.rate_code", "occupancy": "mapping.guests",
	}
	partnerFields = map[string]string{
		"name": "partner.name", "kind": "partner.kind", "channel": "partner.channel", "channel_id": "partner.channel", "tier": "partner.tier", "hourly_limit": "partner.hourly_limit",
		"scope": "partner.scopes", "scopes": "partner.scopes", "property": "partner.houses", "property_ids": "partner.houses", "ip_allowlist": "partner.from",
		"days": "partner.ends_after", "message": "partner.message", "since": "hook.since",
	}
	userFields = map[string]string{
		"name": "users.name", "roles": "users.roles", "role": "users.roles", "was": "password.was", "password": "password.new", "again": "password.again",
	}
)

// prefixed are labels whose keys are the names of the fields behind a prefix.
func (v *visit) prefixed(prefix string) labels {
	return func(name string) string {
		if key := prefix + name; v.words.has(key) {
			return v.words.T(key)
		}
		return ""
	}
}

// channelLabels are those of the form of a channel, whose settings are the connector's.
func (v *visit) channelLabels() labels {
	return func(name string) string {
		for _, in := range []string{"setting.", "settings."} {
			if key, is := strings.CutPrefix(name, in); is {
				return view{visit: v}.Setting(key)
			}
		}
		return v.called(channelFields)(name)
	}
}

// guestLabels are those of the form of a guest, where a consent is asked for in parts.
func (v *visit) guestLabels() labels {
	return func(name string) string {
		return cmp.Or(v.called(map[string]string{"marketing_consent.source": "guest.consent.source", "marketing_consent.at": "guest.consent.at", "external_ids": "guest.ids"})(name), v.prefixed("guest.")(name))
	}
}

// policyFields are what the answers to the questions of a house become, where that has another
// name than the field.
var policyFields = strings.NewReplacer(
	"conflicts.", "conflict.", "on_deadline.", "deadline.", "staleness.then", "stale.then", "staleness.after_minutes", "stale.after", "staleness.free_at_most", "stale.free",
	"overbooked_warning_days", "overbooked_warning", "price_mismatch_pct", "price_mismatch",
)

// labels are the questions of the form.
func (f policyForm) labels(name string) string {
	name = policyFields.Replace(name)
	for _, g := range f.Groups {
		for _, row := range g.Rows {
			if row.Name == name {
				return row.Of
			}
		}
	}
	return ""
}
