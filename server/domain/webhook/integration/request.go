package integration

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Request is a request to a chat.
type Request struct {
	URL   string
	Token string // goes into the header Authorization; "" for none
	Put   bool   // the method is PUT, instead of POST
	Body  []byte // JSON
}

// receiver is a chat.
type receiver struct {
	Settings
	kind string // of the event
	key  string // unique for the delivery; the same if it is repeated
}

// Request returns the request that tells a chat a message. The key is the same if the request is repeated.
func (k Kind) Request(s Settings, e Event, m Message, key string) (Request, error) {
	return k.request(receiver{Settings: s, kind: e.kind, key: key}, m)
}

// channel returns the channel for the event, or else the general one.
func (r receiver) channel(general string) string {
	if own := r.text(r.kind + "_channel"); own != "" {
		return own
	}
	return r.text(general)
}

// object is a JSON object.
type object map[string]any

func (o object) to(address string) (Request, error) {
	body, err := json.Marshal(o)
	return Request{URL: address, Body: body}, err
}

func slack(r receiver, m Message) (Request, error) { return incomingWebhook(r, m, slackStyle) }

func mattermost(r receiver, m Message) (Request, error) { return incomingWebhook(r, m, markdownStyle) }

// incomingWebhook returns the request for Slack, and for chats with webhooks of the same form.
func incomingWebhook(r receiver, m Message, s style) (Request, error) {
	body := object{"text": s.write(m.line)}
	if name := r.text("username"); name != "" {
		body["username"] = name
	}
	if channel := r.channel("channel"); channel != "" {
		body["channel"] = channel
	}
	if details := s.details(m); details != "" {
		body["attachments"] = []object{{"text": details, "color": m.mood.color(), "fallback": bareStyle.write(m.line)}}
	}
	return body.to(r.text("webhook"))
}

func discord(r receiver, m Message) (Request, error) {
	return object{
		"embeds": []object{{
			"author": object{"name": m.actor}, "description": markdownStyle.whole(m), "color": m.mood.number(),
		}},
		"allowed_mentions": object{"parse": []string{}},
	}.to(r.channel("webhook"))
}

// teams returns the request for Microsoft Teams: an adaptive card, whose texts have no format that a caller could use.
func teams(r receiver, m Message) (Request, error) {
	blocks := []object{textBlock(m.line, m.mood)}
	for _, detail := range m.details {
		blocks = append(blocks, textBlock(detail, neutral))
	}
	card := object{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": blocks,
	}
	return object{
		"type":        "message",
		"summary":     bareStyle.write(m.line),
		"attachments": []object{{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}},
	}.to(r.text("webhook"))
}

// textBlock returns a line of a card.
func textBlock(l line, m mood) object {
	runs := make([]object, 0, len(l))
	for _, p := range l {
		run := object{"type": "TextRun", "text": p.text}
		if p.url != "" {
			run["selectAction"] = object{"type": "Action.OpenUrl", "url": p.url}
			run["color"] = "accent"
		}
		if m != neutral && p.url == "" {
			run["color"] = map[mood]string{good: "good", bad: "attention"}[m]
		}
		runs = append(runs, run)
	}
	return object{"type": "RichTextBlock", "inlines": runs}
}

// googleChat returns the request for Google Chat: a card, whose texts are HTML.
func googleChat(r receiver, m Message) (Request, error) {
	widget := object{"textParagraph": object{"text": pageStyle.whole(m)}}
	return object{
		"cardsV2":      []object{{"cardId": r.key, "card": object{"sections": []object{{"widgets": []object{widget}}}}}},
		"fallbackText": bareStyle.write(m.line),
	}.to(r.text("webhook"))
}

func telegram(r receiver, m Message) (Request, error) {
	body := object{
		"chat_id": r.text("room"), "text": htmlStyle.whole(m), "parse_mode": "HTML",
		"link_preview_options": object{"is_disabled": true},
	}
	if thread := r.Values["thread"]; thread != nil {
		body["message_thread_id"] = thread
	}
	return body.to(strings.TrimSuffix(r.text("hostname"), "/") + "/bot" + url.PathEscape(r.text("token")) + "/sendMessage")
}

// matrix returns the request for Matrix. The server of a room ignores a second request with the same key.
func matrix(r receiver, m Message) (Request, error) {
	request, err := object{
		"msgtype": "m.text", "body": plainStyle.whole(m), "format": "org.matrix.custom.html", "formatted_body": pageStyle.whole(m),
		"m.mentions": object{},
	}.to(strings.TrimSuffix(r.text("hostname"), "/") + "/_matrix/client/v3/rooms/" + url.PathEscape(r.text("room")) +
		"/send/m.room.message/" + url.PathEscape(r.key))
	request.Put, request.Token = true, r.text("token")
	return request, err
}

func webex(r receiver, m Message) (Request, error) {
	return object{"markdown": markdownStyle.whole(m)}.to(r.text("webhook"))
}
