package hookpages

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"

	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// deliveryLine returns the line of a delivery.
func (o owner) deliveryLine(h model.Hook, row model.HookDeliveryRow) deliveryLine {
	path := o.hookPath(h.ID) + "/events/" + strconv.FormatInt(row.ID, 10)
	return deliveryLine{
		HookDeliveryRow: row, Path: path, Kind: row.Message.Event, Good: ok(row.ResponseStatus),
		Resend: page.Button{Action: path + "/resend", Label: "Send again", Class: "quiet"},
	}
}

// deliveryView is the content of the page of a delivery.
type deliveryView struct {
	Line                         deliveryLine
	RequestHeaders, ReplyHeaders []headerLine
	RequestBody, ReplyBody       string
	RequestIsCut, ReplyIsCut     bool
}

type headerLine struct{ Name, Value string }

// The page of a delivery shows so many bytes of a body, and so many headers.
const (
	shownBody  = 25_000 // of HTML
	maxHeaders = 40
)

// delivery shows one delivery, as the API does: without secrets and without mail addresses.
// GET /{project}/-/hooks/{id}/events/{event}
// GET /groups/{group}/-/hooks/{id}/events/{event}
func (p *Pages) delivery(v *page.Visit, o owner) error {
	found, row, err := p.findDelivery(v, o)
	if err != nil {
		return err
	}
	shown := present.HookEvent(row)
	request, err := json.MarshalIndent(shown.RequestData, "", "  ")
	if err != nil {
		return err
	}
	view := deliveryView{
		Line: o.deliveryLine(found, row), RequestHeaders: headerLines(shown.RequestHeaders),
		ReplyHeaders: headerLines(shown.ResponseHeaders),
	}
	view.RequestBody, view.RequestIsCut = cut(string(request))
	view.ReplyBody, view.ReplyIsCut = cut(shown.ResponseBody)
	return p.show(v, o, page.View{
		Name: "delivery", Title: fmt.Sprintf("Delivery %d", row.ID), Data: view,
		Crumbs: []page.Link{{Path: o.hookPath(found.ID), Label: fmt.Sprintf("#%d", found.ID)}},
	})
}

// cut returns the beginning of a text, and whether that is not all.
func cut(text string) (string, bool) {
	whole := len(text)
	for len(text) > 0 && len(template.HTMLEscapeString(text)) > shownBody {
		text = text[:min(len(text)/2, shownBody)]
	}
	return text, len(text) < whole
}

func headerLines(headers map[string]string) []headerLine {
	var all []headerLine
	names := slices.Sorted(maps.Keys(headers))
	for _, name := range names[:min(len(names), maxHeaders)] {
		all = append(all, headerLine{name, headers[name]})
	}
	return all
}

// findDelivery returns the hook and the delivery of the address.
func (p *Pages) findDelivery(v *page.Visit, o owner) (model.Hook, model.HookDeliveryRow, error) {
	found, err := p.find(v, o)
	if err != nil {
		return found, model.HookDeliveryRow{}, err
	}
	id, err := v.Number("event")
	if err != nil {
		return found, model.HookDeliveryRow{}, err
	}
	row, err := p.Store.HookDeliveries.Get(v.Request().Context(), found.ID, id)
	return found, row, apierr.OrNotFound(err, "")
}

// resend sends a delivery again.
// POST /{project}/-/hooks/{id}/events/{event}/resend
// POST /groups/{group}/-/hooks/{id}/events/{event}/resend
func (p *Pages) resend(v *page.Visit, o owner) error {
	found, row, err := p.findDelivery(v, o)
	if err != nil {
		return err
	}
	if err := p.Limit(v.Request().Context(), o.id); err != nil {
		return err
	}
	status, err := p.Hooks.Resend(v.Request().Context(), o.Owner, found.ID, row.ID)
	return p.tellResult(v, o, found, fmt.Sprintf("It was sent again. The receiver answered with status %d.", status), err)
}

// testForm returns the form that sends a sample of the kinds of events that can be tested.
func (o owner) testForm(action string) page.Form {
	if o.system {
		return page.Form{Action: action, Submit: "Send a test"}
	}
	var options []page.Option
	for _, kind := range o.kinds() {
		if kind.Testable {
			options = append(options, page.Option{Value: kind.Flag, Label: kindText(kind.Flag)})
		}
	}
	return page.Form{Action: action, Submit: "Send a test", Fields: []page.Field{
		{Name: "trigger", Label: "Event", Type: "select", Options: options, Hint: "The newest one of this kind is sent at once."},
	}}
}

// testHook sends a sample to a hook.
// POST /{project}/-/hooks/{id}/test
// POST /groups/{group}/-/hooks/{id}/test
func (p *Pages) testHook(v *page.Visit, o owner) error {
	found, err := p.find(v, o)
	if err != nil {
		return err
	}
	kind, known := webhook.KindByFlag(v.Value("trigger"), o.group)
	if !known && !o.system {
		return apierr.BadRequest("The event does not have a valid value")
	}
	if err := p.Limit(v.Request().Context(), o.id); err != nil {
		return err
	}
	if o.system {
		_, err := p.Hooks.TestSystem(v.Request().Context(), found.ID)
		return p.tellResult(v, o, found, "The test was sent. The list of deliveries has the answer.", err)
	}
	sample := o.sample
	sample.Kind = kind.Event
	err = p.Hooks.Test(v.Request().Context(), o.Owner, found.ID, sample)
	return p.tellResult(v, o, found, "The test was sent, and the receiver accepted it.", err)
}

// maxReason is how many characters of the answer of a receiver a message shows.
const maxReason = 300

// tellResult leads back to the hook with the result of a request to its receiver.
func (p *Pages) tellResult(v *page.Visit, o owner, h model.Hook, good string, err error) error {
	var refused *apierr.Error
	switch {
	case err == nil:
		return v.Done(o.hookPath(h.ID), good)
	case !errors.As(err, &refused) || !page.IsRefusal(err):
		return err
	}
	reason := []rune(refused.Error())
	if err := v.Tell(page.Flash{Text: "It failed: " + string(reason[:min(len(reason), maxReason)]), Alert: true}); err != nil {
		return err
	}
	return v.Redirect(o.hookPath(h.ID))
}
