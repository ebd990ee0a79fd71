package hotel

// ConflictKind says what is in conflict.
type ConflictKind string

// The kinds.
const (
	ConflictOversell  ConflictKind = "oversell"
	ConflictPlanned   ConflictKind = "overbooked_planned"
	ConflictDrift     ConflictKind = "drift"
	ConflictAllotment ConflictKind = "allotment"
	ConflictUnmapped  ConflictKind = "unmapped_booking"
	ConflictStale     ConflictKind = "stale_revision"

	ConflictGroupShrink ConflictKind = "group_shrink"

	ConflictCredentials ConflictKind = "credentials"
	ConflictRejected    ConflictKind = "rejected_cell"
	ConflictPriceGuard  ConflictKind = "price_guard"

	ConflictCancelledInHouse ConflictKind = "cancelled_in_house"
	ConflictLateModification ConflictKind = "late_modification"
	ConflictDuplicate        ConflictKind = "duplicate_suspect"
	ConflictOverstay         ConflictKind = "overstay"
	ConflictBlockDue         ConflictKind = "block_due"
	ConflictSoldBeforeClose  ConflictKind = "sold_before_close"
	ConflictExposed          ConflictKind = "exposed"
	ConflictBlastRadius      ConflictKind = "blast_radius"
	ConflictMissingPrice     ConflictKind = "missing_price"
	ConflictMismatch         ConflictKind = "price_mismatch"
	ConflictCancelAsked      ConflictKind = "cancel_asked"
	ConflictUnread           ConflictKind = "unread_message"
	ConflictReported         ConflictKind = "channel_report"
)

var conflictOptions = map[ConflictKind][]ConflictOption{
	ConflictOversell: {
		{Option: OptionAccept, Label: "Leave it", Effect: "More is sold than there is; whoever is on duty finds a room.", Rests: true},
		moveOption,
		{Option: OptionWalk, Label: "Walk the guest", Effect: "The booking is cancelled here without a fee, because the guest sleeps in another house; its room is free.", Needs: []string{writesReservations, overridesReservation}, Arguments: []Argument{
			{Name: "reservation_id", Type: TextArgument, Doc: "who sleeps elsewhere; left out: the latest booking"},
			{Name: "property_id", Type: TextArgument, Doc: "another house of yours, in which you have booked a room"},
			{Name: "external", Type: TextArgument, Free: true, Doc: "the name of somebody else's house"},
			{Name: "cost", Type: MoneyArgument, Doc: "what the other house and the way there cost you"},
			{Name: "note", Type: TextArgument, Free: true, Max: 2000, Doc: "for whoever reads it later"},
		}},
		stopSellOption,
		{Option: OptionKeepBackMore, Label: "Keep more back", Effect: "So many rooms more of these nights are kept from every channel, also when one is cancelled.", Needs: []string{writesInventory}, Arguments: []Argument{
			{Name: "n", Type: NumberArgument, Required: true, Min: 1, Max: 1000, Doc: "rooms"},
		}},
	},
	ConflictPlanned: {
		{Option: OptionAccept, Label: "Leave it", Effect: "You have planned for it.", Rests: true},
		moveOption,
		stopSellOption,
	},
	ConflictDrift: {
		{Option: string(Ours), Label: "Ours", Effect: "The channel is told again what it is to show."},
		{Option: string(Theirs), Label: "Theirs", Effect: "What it shows becomes your own: the price or restriction of the product, for every channel, or the most rooms that the channel is shown.", Needs: []string{writesInventory, writesRates}},
	},
	ConflictAllotment: {
		{Option: string(Ours), Label: "Close it again", Effect: "The channel is told its number again, though it did not take it before."},
		{Option: OptionAccept, Label: "It was promised", Effect: "A block promises the channel these rooms, and nobody else is sold them.", Needs: []string{writesInventory}},
		{Option: OptionRelease, Label: "Promised until a date", Effect: "Likewise, until the date: then the rooms go back, and the channel is told so again.", Needs: []string{writesInventory}, Arguments: []Argument{
			{Name: "until", Type: DateArgument, Required: true, Doc: "on which what it has not sold goes back"},
		}},
	},
	ConflictRejected: {
		{Option: OptionRetry, Label: "Try again", Effect: "The channel is told the same once more, now. Refused closings are told again every ten minutes anyway."},
		{Option: OptionSkip, Label: "Leave it", Effect: "Nobody is asked again while the same is wanted there.", Rests: true},
		{Option: OptionChange, Label: "Want something else", Effect: "The price or length of stay of the product is changed on these nights, or the channel is shown at most so many rooms.", Arguments: []Argument{
			{Name: "values", Type: GroupArgument, Required: true, Doc: "what to show instead, of the group that is refused", Members: []Argument{
				{Name: "amount", Type: MoneyArgument, Doc: "the price before markups of the channel"},
				{Name: "available", Type: NumberArgument, Max: 9999, Doc: "rooms, at the most"},
				{Name: "min_stay_arrival", Type: NumberArgument, Min: 1, Max: 90, Doc: "nights"},
				{Name: "min_stay_through", Type: NumberArgument, Min: 1, Max: 90, Doc: "nights"},
				{Name: "max_stay_arrival", Type: NumberArgument, Min: 1, Max: 90, Doc: "nights"},
				{Name: "max_stay_through", Type: NumberArgument, Min: 1, Max: 90, Doc: "nights"},
			}},
		}},
	},
	ConflictPriceGuard: {
		{Option: OptionSend, Label: "Send it", Effect: "The channel is told these prices: they are meant so."},
		{Option: OptionHold, Label: "Keep it back", Effect: "The channel keeps the price that it shows; nobody is asked again about the same price.", Rests: true},
		{Option: OptionCap, Label: "Send the nearest that passes", Effect: "The channel is told the nearest prices that its guard lets pass, until other ones are wanted."},
		{Option: OptionClose, Label: "Close the nights", Effect: "The product is closed at the channel on these nights until it has confirmed another price."},
	},
	ConflictCancelledInHouse: {
		{Option: OptionCancelAndCheckOut, Label: "The guest leaves", Effect: "The guest is checked out today; the nights to come are free.", Needs: []string{writesReservations}},
		{Option: OptionKeep, Label: "The guest stays", Effect: "The stay goes on as it is, whatever the channel says.", Rests: true},
		{Option: OptionDispute, Label: "Dispute it", Effect: "The stay goes on, and you take it up with the channel.", Rests: true},
	},
	ConflictDuplicate: {
		{Option: OptionSame, Label: "They are one", Effect: "The others are cancelled here without a fee. Cancel them at their channel too, lest their guest be charged.", Needs: []string{writesReservations, overridesReservation}, Arguments: []Argument{
			{Name: "keep", Type: TextArgument, Required: true, Doc: "the reservation that stays"},
		}},
		{Option: OptionDistinct, Label: "They are two", Effect: "Both stay.", Rests: true},
	},
	ConflictOverstay: {
		{Option: OptionExtend, Label: "The guest stays on", Effect: "The stay is longer; the nights that are added are sold at the price of today.", Needs: []string{writesReservations, overridesReservation}, Arguments: []Argument{
			{Name: "check_out", Type: DateArgument, Required: true, Doc: "when the guest leaves"},
		}},
		{Option: OptionCheckOut, Label: "The guest has left", Effect: "The guest is checked out, and the room is free.", Needs: []string{writesReservations}},
	},
	ConflictBlockDue: {
		{Option: OptionRelease, Label: "Release now", Effect: "The rooms that nobody has picked up go back on sale.", Needs: []string{writesInventory}},
		{Option: OptionExtend, Label: "Release later", Effect: "The block keeps its rooms until another date.", Needs: []string{writesInventory}, Arguments: []Argument{
			{Name: "release_on", Type: DateArgument, Required: true, Doc: "the whole of it goes back at that date's midnight"},
		}},
		{Option: OptionKeep, Label: "Keep the rooms", Effect: "The block keeps its rooms until somebody releases it.", Needs: []string{writesInventory}},
	},
	ConflictSoldBeforeClose: {
		{Option: OptionAccept, Label: "Seen", Effect: "The booking is good: its guest began before the channel knew.", Rests: true},
	},
	ConflictExposed: {
		{Option: OptionCloseAll, Label: "Close the nights", Effect: "The room types of these nights, and those sold from the same rooms, are closed at every channel until you open them: what is left stays for the one that cannot be told.", Needs: []string{writesInventory}},
		{Option: OptionAccept, Label: "Leave it", Effect: "Every channel goes on selling; nobody is asked again until this one has caught up.", Rests: true},
	},
	ConflictBlastRadius: {
		{Option: OptionSend, Label: "Send it", Effect: "Every channel is told: the change is meant so."},
		{Option: OptionUndo, Label: "Undo it", Effect: "The facts that the change wrote are as they were before, but for those that were written again since.", Needs: []string{writesInventory, writesRates}},
	},
	ConflictMismatch: {
		{Option: OptionAccept, Label: "Leave it", Effect: "The booking is good as it is.", Rests: true},
		{Option: OptionRemap, Label: "Say what was sold", Effect: "The booking gets the room type and plan; its price stays as the channel has it. Mend the mapping of the channel, too.", Needs: []string{writesReservations}, Arguments: []Argument{
			{Name: "room_type_id", Type: TextArgument, Required: true, Doc: "what was sold"},
			{Name: "rate_plan_id", Type: TextArgument, Required: true, Doc: "at which rate"},
		}},
	},
	ConflictMissingPrice: {
		{Option: OptionSetPrice, Label: "Set a price", Effect: "The product has this price on these nights, before markups of the channel, and opens behind it.", Needs: []string{writesRates}, Arguments: []Argument{
			{Name: "amount", Type: MoneyArgument, Required: true, Doc: "of a night"},
		}},
		{Option: OptionKeepClosed, Label: "Keep it closed", Effect: "The product stays closed until it has a price; nobody is asked again about these nights.", Rests: true},
	},
	ConflictGroupShrink: {
		{Option: OptionCancelMissing, Label: "Cancel them", Effect: "The rooms that the message leaves out are cancelled; of a guest in the house somebody is asked.", Needs: []string{writesReservations}},
		{Option: OptionKeepAll, Label: "Keep them", Effect: "The rooms stay booked; nobody is asked again while the channel leaves out the same.", Rests: true},
	},
	ConflictStale: {
		{Option: OptionIgnore, Label: "Ignore it", Effect: "The booking stays as it is.", Rests: true},
		{Option: OptionApply, Label: "Apply it", Effect: "The booking becomes what the message says, as if it were the channel's last word.", Needs: []string{writesReservations}},
	},
	ConflictLateModification: {
		{Option: OptionKeep, Label: "Leave it", Effect: "The stay is as it is: a guest in the house keeps the room, and one who has left the dates.", Needs: []string{writesReservations}},
		{Option: OptionApply, Label: "Follow the channel", Effect: "A stay that is over becomes what the message says; a guest in the house gets the room that it says, for the nights to come.", Needs: []string{writesReservations, overridesReservation}, Arguments: []Argument{
			{Name: "fields", Type: WordsArgument, Words: []string{"check_in", "check_out", "room_type_id", "adults"}, Doc: "of a stay that is over: what follows; left out: everything"},
		}},
	},
	ConflictCancelAsked: {
		{Option: OptionRetry, Label: "Ask again", Effect: "The channel is asked once more; the booking stays as it is until it says yes.", Needs: []string{writesReservations}},
		{Option: OptionDoneAtChannel, Label: "It is done there", Effect: "You have done it in the channel's extranet: the booking follows here at once.", Needs: []string{writesReservations}},
		{Option: OptionWithdraw, Label: "Leave the booking", Effect: "The channel is asked no more, and the booking stays as it is.", Needs: []string{writesReservations}},
	},
	ConflictUnread: {
		{Option: OptionRetry, Label: "Read it again", Effect: "What was kept of the message is read once more, now, by the connector that there is now; one that still cannot be read is asked about again."},
		{Option: OptionDismiss, Label: "Leave it", Effect: "You have looked at the booking at the channel and entered here what it takes; nobody is asked about the message any more."},
	},
	ConflictReported: {
		{Option: OptionDismiss, Label: "Seen to", Effect: "You have looked at it at the channel; when it is reported anew, somebody is asked again.", Rests: true},
	},
	ConflictCredentials: {
		{Option: OptionRetry, Label: "Try again", Effect: "The channel is opened anew and called once, now; until then it is tried every quarter of an hour."},
		{Option: OptionPause, Label: "Pause the channel", Effect: "The channel is paused: what it shows is closed as soon as it takes our credentials again. Close it in its extranet meanwhile."},
	},
	ConflictUnmapped: {
		{Option: OptionMap, Label: "Say what it is", Effect: "The booking gets the room type and plan; remembered, so does every booking under the same codes, from now on.", Needs: []string{writesReservations}, Arguments: []Argument{
			{Name: "room_type_id", Type: TextArgument, Required: true, Doc: "what was sold"},
			{Name: "rate_plan_id", Type: TextArgument, Required: true, Doc: "at which rate"},
			{Name: "remember", Type: FlagArgument, Doc: "map the channel's codes to it; not of a channel that is live, which is mapped by its plan"},
		}},
		{Option: OptionKeepUnassigned, Label: "Keep it so", Effect: "The booking keeps its room and waits for nobody any more.", Rests: true},
	},
}

var (
	moveOption = ConflictOption{
		Option: OptionMove, Label: "Move a guest", Effect: "A guest gets a free room of another type at the price that was booked.", Needs: []string{writesReservations}, Arguments: []Argument{
			{Name: "reservation_id", Type: TextArgument, Doc: "whom; left out: whoever can be moved most cheaply"},
			{Name: "room_type_id", Type: TextArgument, Doc: "where to; left out: where it costs least"},
		},
	}
	stopSellOption = ConflictOption{
		Option: OptionStopSell, Label: "Stop selling", Effect: "The room types of these nights are closed, so that a cancellation puts no room on sale.", Needs: []string{writesInventory},
	}
)
