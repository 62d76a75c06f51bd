package auditstream

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"svc/server/platform/outbound"
	"svc/store/model"
)

// HTTP posts events to a URL, one after the other. The rules for addresses are those of system hooks.
type HTTP struct {
	client *outbound.Client
	url    *url.URL
	header http.Header
}

// NewHTTP returns a target at a URL. header is one secret header, like "Authorization: Bearer …"; it may be empty.
func NewHTTP(client *outbound.Client, to, header, userAgent string) (*HTTP, error) {
	at, err := outbound.Parse(to)
	if err != nil {
		return nil, err
	}
	h := &HTTP{client: client, url: at, header: http.Header{"Content-Type": {"application/json"}, "User-Agent": {userAgent}}}
	if header == "" {
		return h, nil
	}
	name, value, err := outbound.ParseHeader(header)
	if err != nil {
		return nil, err
	}
	h.header.Set(name, value)
	return h, nil
}

// deliver posts the first event. Any response with 2xx means that the receiver has it.
func (h *HTTP) deliver(ctx context.Context, events []model.AuditEvent) (int, error) {
	body, err := encode(events[0])
	if err != nil {
		return 0, err
	}
	header := h.header.Clone()
	header.Set("Idempotency-Key", strconv.FormatInt(events[0].ID, 10))
	response, err := h.client.Post(ctx, outbound.Request{URL: h.url, Header: header, Body: body, Local: true})
	switch {
	case err != nil:
		return 0, err
	case response.Status < 200 || response.Status > 299:
		return 0, fmt.Errorf("the receiver answered %d", response.Status)
	}
	return 1, nil
}
