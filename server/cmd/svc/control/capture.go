package control

import (
	"context"
	"net/http"
	"time"

	"svc/server"
	"svc/server/platform/mail"
	"svc/server/platform/outbound"
)

// Mail is a mail that was kept instead of sent.
type Mail struct {
	ID        int64             `json:"id"`
	MessageID string            `json:"message_id"`
	To        string            `json:"to"`
	Subject   string            `json:"subject"`
	Text      string            `json:"text"`
	HTML      string            `json:"html"`
	Headers   map[string]string `json:"headers"`
	SentAt    time.Time         `json:"sent_at"`
}

func (m Mail) size() int { return len(m.Text) + len(m.HTML) }

// Webhook is a delivery to a webhook.
type Webhook struct {
	ID      int64       `json:"id"`
	URL     string      `json:"url"`
	Headers http.Header `json:"headers"`
	Body    string      `json:"body"`
	Status  int         `json:"status"`
	Error   string      `json:"error"`
	SentAt  time.Time   `json:"sent_at"`
}

func (h Webhook) size() int { return len(h.Body) }

// testing returns what is different in a world: it keeps what it sends. The functions are made when the world is opened, so
// they have its settings.
func (w *World) testing() server.Testing {
	send := *w.settings.SendWebhooks
	return server.Testing{
		NoJobsAtStart: true,
		Mail:          w.keepMail,
		Webhook: func(ctx context.Context, r outbound.Request, deliver outbound.Send) (outbound.Response, error) {
			at := time.Now()
			response, err := outbound.Response{Status: http.StatusOK, Header: http.Header{}}, error(nil)
			if send {
				response, err = deliver(ctx, r)
			}
			w.keepWebhook(at, r, response, err)
			return response, err
		},
	}
}

func (w *World) keepMail(id string, m mail.Message) {
	headers := m.Headers
	if headers == nil {
		headers = map[string]string{}
	}
	w.mails.add(func(n int64) Mail {
		return Mail{
			ID: n, MessageID: id, To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Headers: headers, SentAt: time.Now(),
		}
	})
}

func (w *World) keepWebhook(at time.Time, r outbound.Request, response outbound.Response, err error) {
	w.webhooks.add(func(id int64) Webhook {
		h := Webhook{
			ID: id, URL: r.URL.String(), Headers: r.Header, Body: string(r.Body), Status: response.Status, SentAt: at,
		}
		if err != nil {
			h.Error = err.Error()
		}
		return h
	})
}
