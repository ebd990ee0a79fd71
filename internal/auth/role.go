package auth

import "slices"

// Role is what a user of the console is in a house.
type Role string

// The roles, from the one that may do most. What each may do is in [Role.Scopes].
const (
	RoleOwner     Role = "owner"
	RoleOperator  Role = "operator"   // runs the server: channels and clients, no guests
	RoleRevenue   Role = "revenue"    // stock, prices and channels, no guests
	RoleFrontDesk Role = "front_desk" // bookings and guests
	RoleReadOnly  Role = "read_only"  // sees the house, no guests, and changes nothing
)

// Roles are all roles.
var Roles = []Role{RoleOwner, RoleOperator, RoleRevenue, RoleFrontDesk, RoleReadOnly}

// Known reports whether there is such a role.
func (r Role) Known() bool { return slices.Contains(Roles, r) }

// Scopes returns what somebody in the role may do. A role that is not known may do
// nothing.
func (r Role) Scopes() Scopes {
	sees := ScopesOf(AvailabilityRead, PropertiesRead, ReservationsRead, InventoryRead, RatesRead, ReportsRead, EventsRead, ChannelsRead)
	switch r {
	case RoleOwner:
		return AllScopes()
	case RoleOperator:
		return sees | ScopesOf(PropertiesWrite, ChannelsWrite, WebhooksRead, WebhooksWrite, AdminClients)
	case RoleRevenue:
		return sees | ScopesOf(InventoryWrite, RatesWrite, ChannelsWrite)
	case RoleFrontDesk:
		return sees | ScopesOf(ReservationsWrite, GuestsRead, GuestsWrite)
	case RoleReadOnly:
		return sees
	}
	return 0
}
