package page

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/broadcast"
	"svc/server/platform/markdown"
	"svc/store/model"
	"svc/store/setting"

	"github.com/labstack/echo/v4"
)

// Brand is what administrators add to the pages: texts, colors and pictures.
type Brand struct {
	setting.Appearance

	Style string // the address of the style sheet with the colors; empty if no page needs it
}

// HeaderLogoPath returns the address of the picture at the top of all pages, or an empty text.
func (b Brand) HeaderLogoPath() string { return model.AppearanceHeaderLogo.Path(b.HeaderLogo) }

// LogoPath returns the address of the picture on the sign-in page, or an empty text.
func (b Brand) LogoPath() string { return model.AppearanceLogo.Path(b.Logo) }

// FaviconPath returns the address of the icon of the pages, or an empty text.
func (b Brand) FaviconPath() string { return model.AppearanceFavicon.Path(b.Favicon) }

// Markdown renders a text of an administrator. A text that cannot be rendered is not shown.
func Markdown(text string) template.HTML {
	if text == "" {
		return ""
	}
	rendered, err := markdown.Render([]byte(text), markdown.Options{Below: 2})
	if err != nil {
		return ""
	}
	return rendered.HTML
}

// Members returns the text on pages with members.
func (b Brand) Members() template.HTML { return Markdown(b.MemberGuidelines) }

// ProfileImage returns the text about pictures on the profile page.
func (b Brand) ProfileImage() template.HTML { return Markdown(b.ProfileImageGuidelines) }

// Broadcast is a broadcast message on a page.
type Broadcast struct {
	model.BroadcastMessage

	Text template.HTML
}

// Notice reports whether the message is a small notice in a corner.
func (b Broadcast) Notice() bool { return b.BroadcastType == broadcast.Notification }

// Class names the style of the message: its theme, and its own colors.
func (b Broadcast) Class() string { return fmt.Sprintf("theme-%s broadcast-%d", b.Theme, b.ID) }

// brand returns what administrators add to all pages.
func (v *Visit) brand() Brand {
	now := v.kit.store.Settings.Current()
	b := Brand{Appearance: now.Appearance}
	if b.HeaderMessage != "" || b.FooterMessage != "" || slices.ContainsFunc(now.Broadcasts, hasColors) {
		b.Style = brandStylePath + "?v=" + strconv.FormatInt(now.Changed, 10)
	}
	return b
}

func hasColors(m model.BroadcastMessage) bool { return m.Color != nil || m.Font != nil }

// seenCookie holds the broadcast messages that the visitor has closed.
const seenCookie = "_svc_closed_messages"

// broadcasts returns the broadcast messages that the page shows.
func (v *Visit) broadcasts() (shown []Broadcast) {
	all := v.kit.store.Settings.Current().Broadcasts
	if len(all) == 0 {
		return nil
	}
	page := broadcast.Page{Path: v.Request().URL.Path, Now: v.Now()}
	switch {
	case v.Project != nil:
		page.Role = v.Project.Role()
	case v.Group != nil:
		page.Role = v.Group.Role
	}
	closed := v.closedMessages()
	for _, m := range page.Shown(all) {
		if !m.Dismissable || !slices.Contains(closed, strconv.FormatInt(m.ID, 10)) {
			shown = append(shown, Broadcast{m, Markdown(m.Message)})
		}
	}
	return shown
}

// closedMessages returns the IDs of the messages that the visitor has closed.
func (v *Visit) closedMessages() []string {
	cookie, err := v.Cookie(v.kit.cookie(seenCookie))
	if err != nil {
		return nil
	}
	return strings.Split(cookie.Value, ".")
}

// mostClosed is how many closed messages a browser remembers.
const mostClosed = 50

// CloseMessage hides a broadcast message from this browser for a month.
func (v *Visit) CloseMessage(id int64) {
	closed := append(v.closedMessages(), strconv.FormatInt(id, 10))
	v.GiveCookie(seenCookie, strings.Join(closed[max(0, len(closed)-mostClosed):], "."), 30*24*time.Hour)
}

// brandStylePath is the address of the style sheet with the colors of messages.
const brandStylePath = "/-/appearance.css"

// ServeBrand serves the style sheet with the colors of messages. The pages forbid styles of their own.
func (k *Kit) ServeBrand(e *echo.Echo) {
	e.GET(brandStylePath, func(c echo.Context) error {
		now := k.store.Settings.Current()
		var style strings.Builder
		fmt.Fprintf(&style, ".system-message{background:%s;color:%s}\n",
			now.Appearance.MessageBackgroundColor, now.Appearance.MessageFontColor)
		for _, m := range now.Broadcasts {
			for property, color := range map[string]*string{"background": m.Color, "color": m.Font} {
				if color != nil {
					fmt.Fprintf(&style, ".broadcast-%d{%s:%s}\n", m.ID, property, *color)
				}
			}
		}
		c.Response().Header().Set("Cache-Control", "public, max-age=3600")
		return c.Blob(http.StatusOK, assetTypes[".css"], []byte(style.String()))
	})
}
