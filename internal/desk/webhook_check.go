package desk

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
)

// mostHeaders is how many static headers an endpoint may have.
const mostHeaders = 5

// checkWebhook refuses an endpoint that could never be called, or would hear more
// than its client may read, telling everything that is wrong with it.
//
// Only what is said is looked at: an endpoint that was let through once and would not be
// any more can still be paused, or told apart by another description.
func (d *Desk) checkWebhook(ctx context.Context, c Caller, said WebhookChange) error {
	var items []hotel.RefusedItem
	if said.URL != nil {
		if err := d.post.CheckAddress(*said.URL); err != nil {
			items = append(items, hotel.Wrong("/url", "format", "%s", err))
		}
	}
	if types := said.EventTypes; types != nil && len(*types) == 0 {
		items = append(items, hotel.Wrong("/event_types", "length", "name at least one type; * is every one"))
	}
	items = append(items, checkEventTypes(c, orEmpty(said.EventTypes))...)
	granted, err := d.granted(ctx, c)
	if err != nil {
		return err
	}
	for i, id := range orEmpty(said.PropertyIDs) {
		if !slices.ContainsFunc(granted, func(p hotel.Property) bool { return p.ID == id }) {
			items = append(items, hotel.Wrong(fmt.Sprintf("/property_ids/%d", i), "enum", "there is no such property"))
		}
	}
	headers := said.headers()
	if len(headers) > mostHeaders {
		items = append(items, hotel.Wrong("/headers", "length", "at most %d headers", mostHeaders))
	}
	for _, name := range headerNames(headers) {
		if err := d.post.CheckHeader(name, headers[name]); err != nil {
			pointer := "/headers/" + pointerText.Replace(name)
			items = append(items, hotel.Wrong(pointer, "format", "%s", err))
		}
	}
	if len(items) > 0 {
		return refusedFor(items)
	}
	return nil
}

func orEmpty(list *[]string) []string {
	if list == nil {
		return nil
	}
	return *list
}

func refusedFor(items []hotel.RefusedItem) error {
	return hotel.InvalidItems(items)
}

func headerNames(headers map[string]string) []string { return slices.Sorted(maps.Keys(headers)) }

// checkEventTypes refuses types that there are not, and those of what the caller
// may not read. Of everything it hears what it may.
func checkEventTypes(c Caller, names []string) []hotel.RefusedItem {
	var items []hotel.RefusedItem
	wrong := func(i int, format string, args ...any) {
		items = append(items, hotel.Wrong(fmt.Sprintf("/event_types/%d", i), "enum", format, args...))
	}
	for i, name := range names {
		if name == "*" || name == WebhookPing { // which is listed, and comes only to who asks for it
			continue
		}
		found := false
		for _, t := range EventTypes() {
			if !hotel.MatchesEvent(names[i:i+1], t.Name) {
				continue
			}
			found = true
			if !slices.ContainsFunc(EventScopes(t.Name), c.Scopes.Has) {
				wrong(i, "%s needs the scope %s", t.Name, t.Scope)
				break
			}
		}
		if !found {
			wrong(i, "there is no such type of event; GET /event-types lists them")
		}
	}
	return items
}
