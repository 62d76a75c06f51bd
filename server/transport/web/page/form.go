package page

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store/secret"
)

const (
	// FormCookie is the name of the cookie from which forms of anonymous visitors derive their tokens.
	FormCookie = "_svc_form"
	// formField is the hidden field with the token against forged requests.
	formField = "authenticity_token"
)

// Field is one input of a form.
type Field struct {
	Name, Label, Type, Value, Hint string
	Autocomplete, Mode             string // hints for the browser's autofill and for the keyboard of a phone
	Options                        []Option
	Rows                           int // of a textarea; 4 unless it is set
	Required, Focus, Checked       bool
	Multiple                       bool // of a select or a file
	Errors                         []string
}

// Option is one choice of a field.
type Option struct {
	Value, Label, Hint string
	Chosen             bool
}

// Form is a form that a person fills in. Mistakes are those that belong to no field.
type Form struct {
	Action, Submit string
	Fields         []Field
	Hidden         []Field
	Mistakes       []string
	Danger, Files  bool
}

// FormPage is the content of the kit's page "form_page": one form.
type FormPage struct {
	About *About // what administrators say above the form
	Intro []string
	Form  Form
	Links []Link
}

// About is what administrators say on a page with a form.
type About struct {
	Logo, Title string
	Texts       []template.HTML // empty ones are not shown
}

// Button is a form that is only a button. With Confirm, a person must first tick a box with that text: use it for what
// cannot be undone.
type Button struct {
	Action, Label, Class, Confirm string
	Hidden                        []Field

	token string
}

// Token returns the token against forged requests.
func (b Button) Token() string { return b.token }

const confirmField = "confirmation"

// ConfirmField is the field of a form that cannot be undone: a person must type a text, such as the path of the project that
// is deleted. Confirmed checks it.
func ConfirmField(text string) Field {
	return Field{
		Name: confirmField, Label: "Confirm", Type: "text", Hint: "Type " + text + " to confirm. This cannot be undone.", Required: true,
		Autocomplete: "off",
	}
}

// Confirmed reports whether the form has the text that ConfirmField asks for, and adds the mistake if not.
func (v *Visit) Confirmed(text string, broken map[string][]string) bool {
	if strings.TrimSpace(v.Value(confirmField)) == text {
		return true
	}
	broken[confirmField] = []string{"must be " + text}
	return false
}

// With adds the broken rules to their fields; those that belong to no field of this form are shown above it.
func (f Form) With(broken map[string][]string) Form {
	rest := map[string]bool{}
	for name := range broken {
		rest[name] = true
	}
	fields := make([]Field, len(f.Fields))
	for i, field := range f.Fields {
		field.Errors = broken[field.Name]
		delete(rest, field.Name)
		fields[i] = field
	}
	f.Fields = fields
	for name := range rest {
		for _, text := range broken[name] {
			f.Mistakes = append(f.Mistakes, sentence(name, text))
		}
	}
	return f
}

// Broken reports whether the form has errors.
func (f Form) Broken() bool {
	for _, field := range f.Fields {
		if len(field.Errors) > 0 {
			return true
		}
	}
	return len(f.Mistakes) > 0
}

// sentence puts the name of the field before a broken rule.
func sentence(field, text string) string {
	words := strings.ReplaceAll(field, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:] + " " + text
}

// Token returns the token that proves that a form was made for this browser. It is derived from a cookie that only the
// browser and the service have: that of the session, or one that an anonymous visitor gets for this purpose.
func (v *Visit) Token() string {
	if v.Session != "" {
		return CSRF(v.Session)
	}
	cookie, err := v.Cookie(v.kit.cookie(FormCookie))
	seed := ""
	if err == nil && len(cookie.Value) == len(secret.Random()) {
		seed = cookie.Value
	} else if given, ok := v.Get(FormCookie).(string); ok {
		seed = given
	} else {
		seed = secret.Random()
		v.Set(FormCookie, seed)
		v.GiveCookie(FormCookie, seed, 0)
	}
	return derive("form", seed)
}

// CSRF returns the token that forms and scripts of a session send with writes.
func CSRF(cookie string) string { return derive("csrf", cookie) }

func derive(purpose, seed string) string {
	return EncodeBase64(secret.Digest(purpose + " " + seed))
}

// ErrForm refuses a form that has expired or that none of our pages has sent.
var ErrForm = &apierr.Error{Status: http.StatusUnprocessableEntity, Body: apierr.Body{
	Message: "The form has expired, or it was not sent from a page of this service. Go back, reload the page and try again.",
}}

// checkForm refuses requests that another site made the browser send, because cookies alone prove nothing, and forms
// that were made for another session.
func (v *Visit) checkForm() error {
	r := v.Request()
	if err := v.kit.origin.Check(r); err != nil {
		return ErrForm
	}
	sent := r.PostForm.Get(formField)
	if sent == "" {
		sent = r.Header.Get("X-CSRF-Token")
	}
	if v.Session == "" {
		if cookie, err := v.Cookie(v.kit.cookie(FormCookie)); err != nil || cookie.Value == "" {
			return ErrForm // there was no cookie to derive a token from
		}
	}
	if !secret.Equal([]byte(sent), []byte(v.Token())) {
		return ErrForm
	}
	return nil
}

// BadForm returns why a body cannot be read.
func BadForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return apierr.TooLarge()
	}
	return apierr.BadRequest("The form is invalid")
}

// checkText refuses text that none of our pages sends and no database can store.
func checkText(form url.Values) error {
	for name, values := range form {
		for _, value := range values {
			if !utf8.ValidString(name+value) || strings.ContainsRune(name+value, 0) {
				return apierr.BadRequest("The form contains text that is not UTF-8")
			}
		}
	}
	return nil
}
