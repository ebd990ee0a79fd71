package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Action is a thing that can be asked for: what it is called when it is asked for,
// and by its other name in a handshake.
type Action struct{ Name, Handshake string }

// The actions.
var (
	Ping          = Action{"OTA_Ping:Handshaking", "action_OTA_Ping"}
	FreeRooms     = Action{"OTA_HotelInvCountNotif:FreeRooms", "action_OTA_HotelInvCountNotif"}
	RatePlans     = Action{"OTA_HotelRatePlanNotif:RatePlans", "action_OTA_HotelRatePlanNotif_RatePlans"}
	ReadRequests  = Action{"OTA_Read:GuestRequests", "action_OTA_Read"}
	Acknowledge   = Action{"OTA_NotifReport:GuestRequests", "action_OTA_Read"} // whoever is read from takes acknowledgements
	PushedRequest = Action{"OTA_HotelResNotif:GuestRequests", "action_OTA_HotelResNotif_GuestRequests"}
	StatusUpdate  = Action{"OTA_HotelResNotif:GuestRequests_StatusUpdate", "action_OTA_HotelResNotif_GuestRequests"} // from 2022-10 on; whoever takes reservations takes it
	BaseRates     = Action{"OTA_HotelRatePlan:BaseRates", "action_OTA_HotelRatePlan_BaseRates"}
	Inventory     = Action{"OTA_HotelDescriptiveContentNotif:Inventory", "action_OTA_HotelDescriptiveContentNotif_Inventory"}
)

// What a server may support of an action.
const (
	AcceptCategories   = "OTA_HotelInvCountNotif_accept_categories"
	AcceptDeltas       = "OTA_HotelInvCountNotif_accept_deltas"
	AcceptCompleteSet  = "OTA_HotelInvCountNotif_accept_complete_set" // not named in 2020-10, where everybody takes one
	AcceptOutOfOrder   = "OTA_HotelInvCountNotif_accept_out_of_order"
	AcceptOutOfMarket  = "OTA_HotelInvCountNotif_accept_out_of_market"
	AcceptSeasons      = "OTA_HotelInvCountNotif_accept_closing_seasons"
	AcceptOverlay      = "OTA_HotelRatePlanNotif_accept_overlay"
	AcceptFull         = "OTA_HotelRatePlanNotif_accept_full" // the kind Full, in 2024-10
	AcceptArrivalDays  = "OTA_HotelRatePlanNotif_accept_ArrivalDOW"
	AcceptDepartDays   = "OTA_HotelRatePlanNotif_accept_DepartureDOW"
	AcceptCategoryRule = "OTA_HotelRatePlanNotif_accept_RatePlan_RoomType_BookingRule"
	AcceptSupplements  = "OTA_HotelRatePlanNotif_accept_Supplements"
	AcceptPlanRule     = "OTA_HotelRatePlanNotif_accept_RatePlan_BookingRule"
	OccupancyChildren  = "OTA_HotelDescriptiveContentNotif_Inventory_occupancy_children" // how many children a room is for
	UseRooms           = "OTA_HotelDescriptiveContentNotif_Inventory_use_rooms"          // single rooms
	ReadRoomRates      = "OTA_Read_accept_RoomRates"
	PushRoomRates      = "OTA_HotelResNotif_GuestRequests_accept_RoomRates"
)

// Agreement is what one side can do, or both.
type Agreement struct {
	Versions []Spoken `json:"versions"`
}

// Spoken is what can be done in one version.
type Spoken struct {
	Version Version     `json:"version"`
	Actions []Supported `json:"actions,omitempty"`
}

// Supported is an action, by its name in handshakes, with what is supported of it.
type Supported struct {
	Action   string   `json:"action"`
	Supports []string `json:"supports,omitempty"`
}

// Features lists all actions and what is supported of them, each once and sorted.
func (s Spoken) Features() []string {
	var all []string
	for _, a := range s.Actions {
		all = append(append(all, a.Action), a.Supports...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Names lists the versions.
func (a Agreement) Names() []Version {
	var all []Version
	for _, s := range a.Versions {
		all = append(all, s.Version)
	}
	return all
}

// Common is what both sides can do, in the order of a.
func (a Agreement) Common(b Agreement) Agreement {
	both := Agreement{Versions: []Spoken{}}
	for _, ours := range a.Versions {
		at := slices.IndexFunc(b.Versions, func(s Spoken) bool { return s.Version == ours.Version })
		if at < 0 {
			continue
		}
		common := Spoken{Version: ours.Version}
		for _, action := range ours.Actions {
			theirs := slices.IndexFunc(b.Versions[at].Actions, func(s Supported) bool { return s.Action == action.Action })
			if theirs < 0 {
				continue
			}
			shared := Supported{Action: action.Action}
			for _, what := range action.Supports {
				if slices.Contains(b.Versions[at].Actions[theirs].Supports, what) {
					shared.Supports = append(shared.Supports, what)
				}
			}
			common.Actions = append(common.Actions, shared)
		}
		both.Versions = append(both.Versions, common)
	}
	return both
}

// Newest returns what can be done in the newest version that is spoken here; false:
// there is none, or nothing but the handshake itself.
func (a Agreement) Newest() (Spoken, bool) {
	for _, v := range Versions {
		for _, s := range a.Versions {
			if s.Version == v && slices.ContainsFunc(s.Actions, func(o Supported) bool { return o.Action != Ping.Handshake }) {
				return s, true
			}
		}
	}
	return Spoken{}, false
}

const pingVersion = "8.000"

// handshaking marks the warning that carries what both can do.
const handshaking = "ALPINEBITS_HANDSHAKE"

// WritePing asks what the other side can do of what is offered.
func WritePing(offered Agreement) []byte {
	return write("OTA_PingRQ", pingVersion, struct {
		Echo string `xml:"EchoData"`
	}{string(words(offered))})
}

// ReadPing reads what the other side offers, and the text to send back as it is.
func ReadPing(raw []byte) (offered Agreement, echoed string, err error) {
	var q struct {
		Echo string `xml:"EchoData"`
	}
	if _, err := read(raw, "OTA_PingRQ", &q); err != nil {
		return Agreement{}, "", err
	}
	if err := json.Unmarshal([]byte(q.Echo), &offered); err != nil {
		return Agreement{}, "", fmt.Errorf("what is offered is no JSON: %w", err)
	}
	return offered, q.Echo, nil
}

// WritePong answers a ping with what both can do.
func WritePong(common Agreement, echoed string) []byte {
	return write("OTA_PingRS", pingVersion, struct {
		Success unit
		Warning Notice `xml:"Warnings>Warning"`
		Echo    string `xml:"EchoData"`
	}{
		Warning: Notice{Type: Advisory, Status: handshaking, Text: string(words(common))},
		Echo:    echoed,
	})
}

// ErrRefused is a handshake that the other side will not have.
var ErrRefused = errors.New("the handshake is refused")

// ReadPong reads what both can do. A refusal is [ErrRefused] with the far side's words.
func ReadPong(raw []byte) (Agreement, error) {
	reply, err := ReadReply(raw, "OTA_PingRS")
	if err != nil {
		return Agreement{}, err
	}
	if reply.Failed {
		return Agreement{}, fmt.Errorf("%w: %s", ErrRefused, reply.Words())
	}
	for _, n := range reply.Notices {
		if n.Status != handshaking {
			continue
		}
		var common Agreement
		if err := json.Unmarshal([]byte(n.Text), &common); err != nil {
			return Agreement{}, fmt.Errorf("what both can do is no JSON: %w", err)
		}
		return common, nil
	}
	return Agreement{}, errors.New("the answer to the handshake does not say what both can do")
}

func words(a Agreement) []byte {
	text, _ := json.Marshal(a) // text only: nothing that can fail
	return text
}
