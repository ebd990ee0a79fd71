package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type notificationsBody struct {
	Recipients []recipientBody `json:"recipients" nullable:"false" maxItems:"50"`
	DigestTime string          `json:"digest_time" pattern:"^([01]\\d|2[0-3]):[0-5]\\d$" doc:"When the digest and the heartbeat are sent: local time."`
	Sheet      *sheetBody      `json:"sheet" doc:"The files by which the house works while the program is away; null: none are written."`
}

type notificationsInput struct {
	Recipients []recipientBody `json:"recipients,omitempty" nullable:"false" maxItems:"50"`
	DigestTime string          `json:"digest_time,omitempty" pattern:"^([01]\\d|2[0-3]):[0-5]\\d$" default:"07:00" doc:"When the digest and the heartbeat are sent: local time."`
	Sheet      *sheetBody      `json:"sheet,omitempty" doc:"The files by which the house works while the program is away; absent or null: none are written."`
}

type recipientBody struct {
	Name      string      `json:"name" minLength:"1" maxLength:"200"`
	Email     string      `json:"email,omitempty" doc:"Either this or url." maxLength:"254"`
	URL       string      `json:"url,omitempty" doc:"Called as webhooks are, signed with the secret that the operator has configured." maxLength:"2000"`
	Language  string      `json:"language,omitempty" enum:"en,de,it" default:"en"`
	Events    noticeKinds `json:"events,omitempty" nullable:"false" doc:"What the recipient is told of. A thing that lasts is told once, again every day while it lasts, and when it is over."`
	Digest    bool        `json:"digest,omitempty" doc:"Once a day: arrivals, departures, open decisions, cards to charge, deadlines at channels."`
	Heartbeat bool        `json:"heartbeat,omitempty" doc:"A short message once a day even when nothing has happened, so that silence is noticed. The digest is one, too."`
}

// noticeKinds are what a recipient is told of.
type noticeKinds []string

// Schema is a list of the kinds that there are, each at most once.
func (noticeKinds) Schema(huma.Registry) *huma.Schema {
	kind := &huma.Schema{Type: huma.TypeString}
	for _, k := range hotel.NoticeKinds {
		kind.Enum = append(kind.Enum, string(k))
	}
	kind.PrecomputeMessages()
	return &huma.Schema{Type: huma.TypeArray, Items: kind, MaxItems: new(len(hotel.NoticeKinds)), UniqueItems: true}
}

type sheetBody struct {
	Folder       string   `json:"folder" minLength:"1" maxLength:"64" doc:"The name of a folder below the one that the operator has configured for sheets."`
	EveryMinutes int      `json:"every_minutes,omitempty" minimum:"5" maximum:"1440" default:"60"`
	Formats      []string `json:"formats,omitempty" nullable:"false" enum:"html,csv" doc:"Both unless you say otherwise." maxItems:"2" uniqueItems:"true"`
}

func notificationsOf(n hotel.Notifications) notificationsBody {
	b := notificationsBody{Recipients: []recipientBody{}, DigestTime: n.DigestTime}
	for _, r := range n.Recipients {
		b.Recipients = append(b.Recipients, recipientBody{
			Name: r.Name, Email: r.Email, URL: r.URL, Language: r.Language, Events: texts(r.Events), Digest: r.Digest, Heartbeat: r.Heartbeat,
		})
	}
	if n.Sheet != nil {
		b.Sheet = &sheetBody{Folder: n.Sheet.Folder, EveryMinutes: n.Sheet.EveryMinutes, Formats: texts(n.Sheet.Formats)}
	}
	return b
}

// showNotifications is notificationsOf for an answer: recipients are people, and written
// down as the property that has them.
func showNotifications(ctx context.Context, property string, n hotel.Notifications) notificationsBody {
	if len(n.Recipients) > 0 {
		shows(ctx, property)
	}
	return notificationsOf(n)
}

func (b notificationsInput) read() hotel.Notifications {
	n := hotel.Notifications{DigestTime: b.DigestTime}
	for _, r := range b.Recipients {
		n.Recipients = append(n.Recipients, hotel.Recipient{
			Name: r.Name, Email: r.Email, URL: r.URL, Language: r.Language, Events: words[hotel.NoticeKind](r.Events), Digest: r.Digest, Heartbeat: r.Heartbeat,
		})
	}
	if b.Sheet != nil {
		n.Sheet = &hotel.Sheet{Folder: b.Sheet.Folder, EveryMinutes: b.Sheet.EveryMinutes, Formats: words[hotel.SheetFormat](b.Sheet.Formats)}
	}
	return n
}

// texts are words of ours as a body has them, and words the other way round.
func texts[S ~string](list []S) []string { return convert[string](list) }

func words[S ~string](list []string) []S { return convert[S](list) }

func convert[To, From ~string](list []From) []To {
	out := make([]To, len(list))
	for i, s := range list {
		out[i] = To(s)
	}
	return out
}

func (s *server) registerNotifications() {
	get := huma.Operation{
		OperationID: "get-notifications", Method: http.MethodGet, Path: "/properties/{id}/notifications",
		Summary: "Which people are told of what", Tags: []string{tagStructure}, Description: "The revision in the ETag is that of the property.",
	}
	register(s, get, needs(auth.PropertiesRead), func(ctx context.Context, in *byID) (*resource[notificationsBody], error) {
		n, revision, err := s.desk.Notifications(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, revision, showNotifications(ctx, in.ID, n)), nil
	})
	put := huma.Operation{
		OperationID: "put-notifications", Method: http.MethodPut, Path: "/properties/{id}/notifications",
		Summary: "Decide which people are told of what", Tags: []string{tagStructure},
		Description: "Replaces all of it. Mail needs a server in the operator's configuration, without which it waits.",
	}
	register(s, put, needs(auth.PropertiesWrite), func(ctx context.Context, in *struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when it has another ETag."`
		Body    notificationsInput
	},
	) (*resource[notificationsBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		n, at, err := s.desk.SetNotifications(ctx, callerOf(ctx), in.ID, revision, in.Body.read())
		if err != nil {
			return nil, err
		}
		return resourceOf("", at, showNotifications(ctx, in.ID, n)), nil
	})
}
