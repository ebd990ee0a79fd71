// Package ledger keeps the truth about one environment: what the house is made
// of, stock, prices and restrictions by night, reservations, channels and what
// each of them holds, and the journal of everything that happened. It is the
// only package that speaks SQL.
//
// A method that writes is one business event and one transaction: it changes
// the facts, derives the house values that follow from them, and appends the
// journal entries, or it does nothing. No transaction leaves the package. A
// method that returns without an error has been synced to the disk.
//
// What is computed inside a transaction (availability, prices) is computed by
// the pure packages below hotel. The package dials nothing, and knows neither
// connectors nor HTTP.
//
// Below is where each idea lives, in the order in which data goes. Before a colon stand names
// of files, without .go; one that ends in _ is of all files that begin so. A test fails for a
// file that is named nowhere.
//
// # What the house is made of
//
//   - house_part: how any part is created, changed and archived, with what a change moves.
//   - property, pool, room_type, rate_plan: the parts, one kind each.
//   - structure: all of it put together for an item, found by id.
//   - document: a resource kept as JSON; in_use: what keeps a part from being archived.
//
// # Stock, prices, restrictions by night
//
//   - facts: what stands written, by sheet, subject and night.
//   - layers: facts of the journal that have not reached their table yet, laid over it.
//   - nights: facts laid into the nights of a board.
//   - rooms_taken: how many rooms reservations and blocks take, by room type and night.
//   - given: the numbers of another system that counts our rooms, and what it knows.
//   - rate_said: what each source has said of a price, and whose word counts.
//   - price_typed: one amount typed as the price of a product.
//   - pricing_rule, pricing_switch, pricing_simulation: rules, what they remember, what others would do.
//   - stock_cells, rate_cells, cells_read: the house's own cells as a reader of /v1 sees them.
//
// # House values, boards, and time
//
//   - house: derives house values from facts and announces those that moved.
//   - house_due: what of that a large write leaves for later, in pieces.
//   - withdraw: house values of what is no longer sold go away.
//   - boards, boards_watch: the nights of a property in memory, as last committed.
//   - draft: the same nights as the items of a batch have left them.
//   - clock: the tick, and what time alone moves. pace: how old an entry is, whatever the clock did.
//   - as_of, past_pickup: a property as it was behind an entry.
//
// # Reservations
//
//   - reserve, sell: a new booking; whether it can be sold, for how much, and from which rooms.
//     sell_hindrance: why there is none.
//   - reservation_: all that becomes of one: _step is a change of status, _change of the rest, _due
//     what time does, _action what its channel is asked for, _fact the journal's word, _store the rows,
//     _check what is wrong with a request, _extras what is charged beside the room, _bill fees, _wait the waiting list, _find lists.
//   - block, block_: rooms promised before anybody is named.
//   - allotment: blocks that promise rooms to a channel by contract.
//   - import, import_: reservations and past sales that an earlier system had.
//   - books, books_house: what reports are worked out from.
//
// # Channels
//
//   - channels: what a channel is. channel_state: how far it is, and how far behind.
//   - channel_map, channel_lines: which codes mean what; channel_adopt: earlier bookings follow them.
//   - channel_life: live, shadow, paused, disconnected. channel_rejoin: another place at the far side.
//   - channel_action: calls for what a channel is asked to do with a booking.
//   - channel_health, channel_calls: how well it keeps up, and its calls, for whoever looks.
//   - channel_on_sale, channel_share: what it may still sell, and of that what it was granted.
//   - channel_outlook: what it would be told were it live. untold: what it is to be told now.
//   - terms: what its connector promises. shelf: what its connector keeps here.
//   - account_standing: pauses and the breaker of a far side's account.
//   - flag: a connector broke the rules. erring: the far side fails. silence: no bookings come.
//   - stale: changes wait too long; stale_exposed: what it may sell meanwhile that is short.
//
// # Messages of channels in
//
//   - poll: where the next pull begins; also tidying, and the beat of channels.
//   - receive: one message, stored and applied.
//   - receive_: _order which is newer, _reuse whose reference it is, _match which room is meant,
//     _rooms, _price and _details what it says, _partial, _early, _filled and _gap what is missing or
//     comes late, _counters how the channel's numbers moved, _waiting what is not applied yet.
//   - counted: what each counter has sold, by the channel's own words.
//   - in_all: those sales in the number of a channel that is told a total.
//   - strays: bookings under codes that no counter has. sold_as: the codes a booking was sold under.
//   - unread, unread_reason: messages that nobody could read.
//
// # What channels are to show
//
//   - strand: the five ways in which a channel reads the journal, and whose turn it is.
//   - work, work_list: what it has to look at next, with the house values behind that.
//   - desire: stores what its cells are to show; cells_offer: when a night opens behind its price.
//   - cells: rows of cells in and out. cell_group: the four facts of a field group of a cell.
//   - grid: something held by cell, in memory.
//   - price_held: prices that the channel's guard keeps back.
//   - spread, spread_: how far a change goes at a channel; _brake keeps it back until somebody agrees.
//   - detour: nights closed where a lower count cannot be told.
//
// # Calls and outcomes
//
//   - dirty: what differs and may be sent. deliver: a call stored before it is sent.
//   - sent_cells: the values of a call, packed. carried: the index of nights by which they are found.
//     carried_calls: what they carried, read once for many lines.
//   - settle: the outcome, cell by cell.
//   - repeat: a call without an answer told again. retry, probe: refused values told again.
//   - sync_run: a run asked for. refresh: all told again where a channel cannot be asked.
//
// # Read-back and drift
//
//   - read_plan, read_back: which nights to ask for; what was shown.
//   - drift: why a cell differs and what is done; drift_beside: what other nights were seen to show.
//   - drift_conflict, drift_take: somebody is asked; what is shown becomes the property's own.
//   - sights, sight_: where cells stand with a channel, night by night. channel_tally: in sum.
//   - insight, insight_: why one night shows what it does, now or then, step by step.
//
// # Guarded pools
//
//   - guarded_parties: which counters are granted rooms. zone: pools guarded at the last.
//   - holding: one party's account with what it has sold.
//   - deal, deal_due, deal_trust: who is told what of a night; what of it is left for later.
//   - guarded_cells: calls that pay for grants or close; lists of bookings that end a closing.
//   - guarded_doubt: counters that were not seen for too long, and the counts that are read.
//   - guarded_overtaken, guarded_risk, guarded_shown: numbers that came too late, risks that a policy
//     takes, counts that were raised by hand.
//   - estrange: after a restore nobody knows what parties sold. recall: rooms taken back for the desk.
//
// # Conflicts
//
//   - conflict, conflict_decide, conflict_list, conflict_own: raising, deciding, reading them.
//   - conflict_: one file a kind, with what its options do; the kinds of rooms are below.
//   - crowding, crowd_: more rooms sold than there are.
//   - overgranted: more rooms granted in guarded pools than there are; nobody need have bought them.
//   - conflict_exposed, stale_exposed: a channel that is behind may sell what is short.
//
// # Guests
//
//   - guest, guest_: profiles; _meet finds whom a booking names, _message what channels sent of them.
//   - guest_forget, forgotten: nothing is left of a person; who is to be forgotten again.
//   - personal_access: who was shown people's data.
//
// # Bulk updates
//
//   - update, update_: _stock, _rates, _restrictions are the kinds, _prepare is for large ones,
//     _results what became of the entries, _progress and _complete how far channels
//     are, _undo takes one back.
//   - proposal: what an update will make of the facts. foresee: and of the house values.
//
// # Webhooks, people to tell, the world to ask
//
//   - webhook_: _endpoint, _turn journal to deliveries, _delivery, _call.
//   - notices: mail to the people of a property. feed: entries for /v1/events. changed: who waits wakes.
//
// # Access
//
//   - access, clients, client_secrets, access_request: tokens; clients; their secrets; asking to be one.
//   - console: users and sessions of the operator's pages. sealed: secrets of others, sealed anew.
//   - once: requests that may come again under their key. sandbox: how a sandbox stands.
//   - traffic, answers: how often clients call, and how well they are answered.
//   - service_work: what was done for channels and webhooks, by day.
//
// # The journal, the writer and the file
//
//   - journal, touch: entries and their chain; the index of what they are about.
//   - replay: what entries leave standing. cut, retain: what is old goes away.
//   - tx, writer: an item, and batches of them. each, setback: one that fails holds up no other.
//   - open, migrate, lock, lock_, copy: the file. disk_errors: what a disk does to it.
//   - writable: whether it takes writes. scrub, writer_scrub: copies of what was removed go too.
//   - figures, tally: how an open ledger stands; how much a file holds. unchanged: kept until a write.
//   - restored, restored_audit: after a backup; what channels sold meanwhile is found out.
//
// # Verification
//
//   - verify, verify_: all of it against the journal, from the chain to the cells. doc: this map.
package ledger
