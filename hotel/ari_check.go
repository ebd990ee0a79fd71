package hotel

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of what an entry may set.
const (
	MaxUnits    = 9999
	MaxHouse    = 99_999 // rooms of a whole house
	MaxLength   = 90     // nights that a restriction can ask for
	MaxAdvance  = 1095   // days, as far as any property can be booked
	MaxOccupied = 20     // guests in one room

	maxLockedBy   = 100
	maxPerChannel = 200
)

// Faults lists what is wrong with the entry whatever house it is for. Pointers
// are relative to the entry.
func (e InventoryEntry) Faults() []RefusedItem {
	f := faults(slices.Clone(e.Unread))
	if e.RoomTypeID != "" && e.PoolID != "" {
		f.add("/pool_id", "type", "name a pool or a room type, not both")
	}
	house := e.RoomTypeID == "" && e.PoolID == ""
	ofRoom := e.SellLimit.Set || e.Closed.Set || e.Given.Set || e.KeepBack.Set || e.ChannelLimits.Set || e.Lock.Set
	if house && (ofRoom || e.physical()) {
		f.add("/room_type_id", "required", "only house_limit is set for the whole house: name room_type_id or pool_id for anything else")
	}
	if !house && e.HouseLimit.Set {
		f.add("/values/house_limit", "type", "belongs to the whole house: set it in an entry that names neither a room type nor a pool")
	}
	if e.PoolID != "" && ofRoom {
		f.add("/values", "pool_owned", "a pool has total, out_of_order, out_of_inventory and overbooking_limit; the rest belongs to a room type")
	}
	f.lock(e.Lock)
	f.within("/values/house_limit", e.HouseLimit, 0, MaxHouse)
	f.within("/values/given", e.Given, -MaxUnits, MaxUnits)
	f.perChannel("/values/keep_back/", e.KeepBack)
	f.perChannel("/values/channel_limits/", e.ChannelLimits)
	f.within("/values/total", e.Total, 0, MaxUnits)
	f.within("/values/out_of_order", e.OutOfOrder, 0, MaxUnits)
	f.within("/values/out_of_inventory", e.OutOfInventory, 0, MaxUnits)
	f.within("/values/overbooking_limit", e.Overbooking, 0, MaxUnits)
	f.within("/values/sell_limit", e.SellLimit, 0, MaxUnits)
	return f
}

// physical reports whether the entry sets a fact of a pool.
func (e InventoryEntry) physical() bool {
	return e.Total.Set || e.OutOfOrder.Set || e.OutOfInventory.Set || e.Overbooking.Set
}

// Faults lists what is wrong with the entry whatever house it is for.
func (e RateEntry) Faults() []RefusedItem {
	f := faults(slices.Clone(e.Unread))
	if e.Adjust != nil && (e.Amount.Set || len(e.Occupancies) > 0) {
		f.add("/values/adjust", "type", "set amounts or adjust those that are there, not both")
	}
	f.price("/values/amount", e.Amount)
	for guests, o := range e.Occupancies {
		f.price(fmt.Sprintf("/values/occupancy_amounts/%d", guests), o)
	}
	f.price("/values/extra_adult", e.ExtraAdult)
	for band, o := range e.ExtraChild {
		f.price("/values/extra_child/"+band, o)
	}
	f.lock(e.Lock)
	return f
}

// Faults lists what is wrong with the entry whatever house it is for. A minimum
// may still be above a maximum that is stored.
func (e RestrictionEntry) Faults() []RefusedItem {
	f := faults(slices.Clone(e.Unread))
	f.within("/values/min_stay_arrival", e.MinStayArrival, 1, MaxLength)
	f.within("/values/min_stay_through", e.MinStayThrough, 1, MaxLength)
	f.within("/values/max_stay_arrival", e.MaxStayArrival, 1, MaxLength)
	f.within("/values/max_stay_through", e.MaxStayThrough, 1, MaxLength)
	f.within("/values/min_advance_days", e.MinAdvance, 0, MaxAdvance)
	f.within("/values/max_advance_days", e.MaxAdvance, 1, MaxAdvance)
	return f
}

// faults collects what is wrong with an entry.
type faults []RefusedItem

func (f *faults) add(pointer, code, format string, args ...any) {
	*f = append(*f, Wrong(pointer, code, format, args...))
}

func (f *faults) within(pointer string, v Optional[int], least, most int) {
	switch {
	case !v.Set || v.Null:
	case v.Value < least:
		f.add(pointer, "min", "must be at least %d", least)
	case v.Value > most:
		f.add(pointer, "max", "must be at most %d", most)
	}
}

func (f *faults) lock(v Optional[Lock]) {
	if n := utf8.RuneCountInString(v.Value.By); n > maxLockedBy {
		f.add("/values/lock/by", "length", "has %d characters; at most %d are kept", n, maxLockedBy)
	}
}

func (f *faults) perChannel(pointer string, v Optional[ChannelQuantities]) {
	if len(v.Value) > maxPerChannel {
		f.add(strings.TrimSuffix(pointer, "/"), "length", "names %d channels; at most %d are kept", len(v.Value), maxPerChannel)
	}
	for id, n := range v.Value {
		f.within(pointer+PointerPart(id), n, 0, MaxUnits)
	}
}

func (f *faults) price(pointer string, v Optional[Money]) {
	if v.Set && !v.Null && v.Value.Minor < 0 {
		f.add(pointer, "min", "a price cannot be below 0")
	}
}
