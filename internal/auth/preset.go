package auth

// Presets are the scopes that programs of a kind usually need, by the kind of client.
func Presets() map[string]Scopes {
	webhooks := ScopesOf(WebhooksRead, WebhooksWrite, EventsRead)
	house := ScopesOf(AvailabilityRead, PropertiesRead, InventoryRead, RatesRead)
	bookings := ScopesOf(ReservationsRead, ReservationsWrite)
	return map[string]Scopes{
		KindOTA:        ScopesOf(AvailabilityRead, InventoryRead, RatesRead) | bookings | webhooks,
		"pms":          house | bookings | webhooks | ScopesOf(InventoryWrite, RatesWrite, GuestsRead, GuestsWrite, ChannelsRead),
		"rms":          house | webhooks | ScopesOf(RatesWrite, ReservationsRead, ReportsRead),
		"crm":          webhooks | ScopesOf(PropertiesRead, ReservationsRead, GuestsRead, GuestsWrite),
		"bi":           house | ScopesOf(ReservationsRead, ReportsRead, EventsRead, ChannelsRead),
		KindEnterprise: AllScopes() &^ ScopesOf(AdminClients, ReservationsOverride),
	}
}
