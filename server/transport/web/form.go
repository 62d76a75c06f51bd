package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store/secret"
)

const (
	formCookie = "_svc_form"
	// formField is the hidden field with the token against forged requests.
	formField = "authenticity_token"
)

// Field is one input of a form.
type Field struct {
	Name, Label, Type, Value, Hint string
	Autocomplete, Mode             string // hints for the browser's autofill and for the keyboard of a phone
	Options                        []Option
	Required, Focus, Checked       bool
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

// formPage is a page with one form.
type formPage struct {
	Intro []string
	Form  Form
	Links []navLink
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
	if v.cookie != "" {
		return CSRF(v.cookie)
	}
	cookie, err := v.Cookie(v.web.cookie(formCookie))
	seed := ""
	if err == nil && len(cookie.Value) == len(secret.Random()) {
		seed = cookie.Value
	} else if given, ok := v.Get(formCookie).(string); ok {
		seed = given
	} else {
		seed = secret.Random()
		v.Set(formCookie, seed)
		v.setCookie(formCookie, seed, 0)
	}
	return derive("form", seed)
}

// CSRF returns the token that forms and scripts of a session send with writes.
func CSRF(cookie string) string { return derive("csrf", cookie) }

func derive(purpose, seed string) string {
	return encodeBase64(secret.Digest(purpose + " " + seed))
}

var errForm = &apierr.Error{Status: http.StatusUnprocessableEntity, Body: apierr.Body{
	Message: "The form has expired, or it was not sent from a page of this service. Go back, reload the page and try again.",
}}

// checkForm refuses requests that another site made the browser send, because cookies alone prove nothing, and forms
// that were made for another session.
func (v *Visit) checkForm() error {
	r := v.Request()
	if err := v.web.origin.Check(r); err != nil {
		return errForm
	}
	sent := r.PostForm.Get(formField)
	if sent == "" {
		sent = r.Header.Get("X-CSRF-Token")
	}
	if v.cookie == "" {
		if cookie, err := v.Cookie(v.web.cookie(formCookie)); err != nil || cookie.Value == "" {
			return errForm // there was no cookie to derive a token from
		}
	}
	if !secret.Equal([]byte(sent), []byte(v.Token())) {
		return errForm
	}
	return nil
}

// badForm returns why a body cannot be read.
func badForm(err error) error {
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
