package web

import (
	"context"
	"net/http"

	"svc/server/domain/discussion/notify"
	"svc/server/platform/apierr"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// unsubscriptions adds the page for the links in mails. It needs no sign-in: the link is the proof, also for mail
// programs that end a subscription by themselves (RFC 8058), without our form.
func (w *Web) unsubscriptions(e *echo.Echo) {
	w.get(e, notify.UnsubscribePath, w.unsubscribeForm, anyone)
	e.POST(notify.UnsubscribePath, func(c echo.Context) error { return w.kit.ServeUnproven(c, w.handler(w.unsubscribe)) })
}

// unsubscribeForm asks before it ends a subscription, because programs that scan mail open links, too.
func (w *Web) unsubscribeForm(v *Visit) error {
	token := v.QueryParam("token")
	s, err := w.links.Open(token)
	if err != nil {
		return apierr.NotFound("")
	}
	form := Form{Action: notify.UnsubscribePath, Submit: "Unsubscribe", Hidden: []Field{{Name: "token", Value: token}}}
	return v.Show(
		http.StatusOK, "form_page", "Unsubscribe",
		formPage{Intro: []string{"Do you want to stop getting mails about " + s.Ref + "?"}, Form: form},
	)
}

// unsubscribe ends a subscription; a second time changes nothing.
func (w *Web) unsubscribe(v *Visit) error {
	token := v.Value("token")
	if token == "" {
		token = v.QueryParam("token")
	}
	s, err := w.links.Open(token)
	if err != nil || (s.Kind != model.OnIssue && s.Kind != model.OnMergeRequest) {
		return apierr.NotFound("")
	}
	if err := w.endSubscription(v.Request().Context(), s); err != nil {
		return err
	}
	return v.Show(http.StatusOK, "notice", "You are unsubscribed", "You will get no more mails about "+s.Ref+" unless you subscribe again.")
}

// endSubscription ends a subscription, if the user still exists.
func (w *Web) endSubscription(ctx context.Context, s notify.Subscription) error {
	users, err := w.store.Users.ByID(ctx, []int64{s.UserID})
	if err != nil || len(users) == 0 {
		return err
	}
	return w.store.Subscriptions.Set(ctx, s.Kind, s.ID, s.UserID, false)
}
