package browser

import (
	"strings"
	"testing"

	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/chromedp/chromedp"
)

// The explorer signs in with the code flow and PKCE, in a window of its own, and makes a call with the token. That
// window has the same origin, so the window that opened it can click its buttons.
func TestTheExplorerSignsInAndMakesACall(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := open(t, h)
	signIn(b, u, "Your projects")
	const call = "#operations-users-getCurrentUser"
	b.run(chromedp.Navigate(h.URL+"/-/docs#/users/getCurrentUser"), chromedp.WaitVisible(chromedp.CSS(call+" .execute")))
	get(b, chromedp.Evaluate[bool](
		`(() => { const open = window.open; window.open = (...a) => (window.asked = open.apply(window, a)); return true })()`,
	))
	b.run(chromedp.Click(chromedp.CSS(".auth-wrapper .authorize")),
		chromedp.Click(chromedp.Search(
			`//div[contains(@class,"auth-container")][.//h4[contains(.,"OAuth2")]]//button[contains(@class,"authorize")]`,
		)))
	const allow = `(() => {
		try {
			const button = window.asked.document.querySelector('form[action="/oauth/authorize"] button:not(.danger)');
			button.click();
			return true;
		} catch (e) {
			return false; // it is not there yet
		}
	})()`
	wait.Until(t, "the user is asked for consent", func() bool { return get(b, chromedp.Evaluate[bool](allow)) })
	b.run(chromedp.WaitVisible(chromedp.Search(`//button[text()="Logout"]`)), chromedp.Click(chromedp.CSS(".modal-ux .btn-done")))
	b.run(
		chromedp.Click(chromedp.CSS(call+" .execute")),
		chromedp.WaitVisible(chromedp.CSS(call+" .live-responses-table tr.response .response-col_status")),
	)
	if status := b.text(call + " .live-responses-table tr.response .response-col_status"); !strings.Contains(status, "200") {
		t.Errorf("the status is %q", status)
	}
	if body := b.text(call + " .live-responses-table"); !strings.Contains(body, `"username": "`+u.Username+`"`) {
		t.Errorf("the answer is %s", body)
	}
	if sent := b.text(call + " .curl-command"); !strings.Contains(sent, "Authorization: Bearer ") {
		t.Errorf("what was sent is %s", sent)
	}
}
