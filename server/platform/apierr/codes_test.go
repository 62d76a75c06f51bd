package apierr

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestEachFailureHasItsCode(t *testing.T) {
	t.Parallel()
	for want, failures := range map[Code][]error{
		ParameterMissing: {
			BadParameter("name is missing"), BadParameter("name, path are missing, at least one parameter must be provided"),
		},
		ParameterInvalid: {BadParameter("name is invalid"), BadParameter("visibility does not have a valid value")},
		BodyMalformed:    {Malformed("The request body must be an object")},
		ValidationFailed: {
			Invalid("key", "is too long"), Refused("no"), RefusedAs("empty", "no"), Failed("save", "name", "no"),
			Unprocessable("no"), BadRequest(),
		},
		TokenMissing: {Unauthorized(), WithReason(Unauthorized(), "invalid_request", "The header has another form.")},
		TokenInvalid: {
			InvalidToken("It is an impersonation token."),
			WithReason(Unauthorized(), "invalid_token", "It is unknown."),
		},
		TokenExpired:          {ExpiredToken(), WithReason(ExpiredToken(), "invalid_token", "It is unknown.")},
		TokenRevoked:          {RevokedToken()},
		ScopeInsufficient:     {InsufficientScope("api")},
		AccountInactive:       {Inactive("Your account has been blocked.")},
		TierRequired:          {TierTooLow()},
		NotPermitted:          {Forbidden(), Forbidden("why")},
		Missing:               {NotFound(""), NotFound("Project"), RecordNotFound()},
		PathUnknown:           {NoRoute()},
		NotOffered:            {Gone("API V3 is no longer supported."), WithCode(NoRoute(), NotOffered)},
		MethodUnsupported:     {NotAllowed("GET"), MethodNotAllowed()},
		PaginationUnsupported: {Pagination("no such page"), NoKeyset()},
		ProjectMoved:          {MovedProject()},
		Unacceptable:          {NotAcceptable()},
		BodyTimeout:           {Timeout()},
		InTheWay:              {Conflict("409 Conflict"), ConflictFields(map[string][]string{"name": {"is taken"}})},
		Outdated:              {PreconditionFailed()},
		BodyTooLarge:          {TooLarge()},
		URLTooLong:            {URITooLong()},
		MediaTypeUnsupported:  {UnsupportedMedia("text/xml")},
		RangeUnsatisfiable:    {NoSuchRange(1)},
		RateLimited:           {TooMany("", nil), TooManyUntil(1), &Error{Status: 429, Text: "Retry later"}},
		InternalFailure:       {Internal("id"), Damaged("id")},
		TemporarilyAway:       {Unavailable(), Busy(1), StorageGone()},
		StorageFull:           {NoSpace()},
		"":                    {Moved("/elsewhere")},
	} {
		for _, failure := range failures {
			var e *Error
			if !errors.As(failure, &e) {
				t.Fatalf("%T is not an *Error", failure)
			}
			if got := e.HeaderCode(); got != want {
				t.Errorf("the code of %q is %s, want %s", e.Error(), got, want)
			}
			if want != "" && !listed(want, e.Status) {
				t.Errorf("the list does not have %s with the status %d", want, e.Status)
			}
		}
	}
}

func listed(code Code, status int) bool {
	return slices.ContainsFunc(Codes, func(row CodeRow) bool {
		return row.Code == code && slices.Contains(strings.Split(row.Status, ", "), strconv.Itoa(status))
	})
}

func TestEveryStatusHasACodeOfTheList(t *testing.T) {
	t.Parallel()
	seen := map[Code]bool{}
	for _, row := range Codes {
		if seen[row.Code] || !regexp.MustCompile(`^[a-z_]+$`).MatchString(string(row.Code)) {
			t.Errorf("%q is in the list twice, or is no plain word", row.Code)
		}
		seen[row.Code] = true
		if !strings.HasSuffix(row.Means, ".") || !strings.HasSuffix(row.Do, ".") || strings.Contains(row.Means+row.Do, "|") {
			t.Errorf("%s is not described in sentences: %q %q", row.Code, row.Means, row.Do)
		}
	}
	for status := 100; status < 600; status++ {
		if code := CodeOf(status); (code == "") != (status < 400) || (code != "" && !seen[code]) {
			t.Errorf("the code of the status %d is %q", status, code)
		}
	}
}

func TestACodeDoesNotReplaceAnother(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	SetCode(h, "")
	if len(h) > 0 {
		t.Errorf("no code writes %v", h)
	}
	SetCode(h, TokenExpired)
	SetCode(h, TokenMissing)
	if got := h.Get(CodeHeader); got != "token_expired" {
		t.Errorf("the code is %s", got)
	}
	other := errors.New("a failure")
	if !errors.Is(WithCode(other, Missing), other) {
		t.Error("another failure is changed")
	}
	plainly := Forbidden()
	var e *Error
	if WithCode(plainly, TierRequired); !errors.As(plainly, &e) || e.Code != "" {
		t.Errorf("the failure itself is changed: %+v", e)
	}
}
