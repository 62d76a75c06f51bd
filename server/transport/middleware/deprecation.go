package middleware

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// deprecation holds the headers of something that the document marks as deprecated.
type deprecation struct {
	since  time.Time
	sunset string // an HTTP date; empty if the end is not known
}

// deprecatedInput is a deprecated query parameter or member of the body.
type deprecatedInput struct {
	query int    // position in the query parameters, or -1
	name  string // of a member
	deprecation
}

// Deprecation announces deprecated operations in the headers of all their responses, also of errors. Fold does the same
// for deprecated parameters and members, if the caller sends them.
func Deprecation(ops *Operations) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if op := ops.Of(c); op != nil && op.deprecated != nil {
				announceDeprecation(c, op, *op.deprecated)
			}
			return next(c)
		}
	}
}

// announceInput sets the headers if the caller sends something deprecated. Of several, the first that was deprecated
// counts.
func announceInput(c echo.Context, op *Operation, in *input) {
	if op.deprecated != nil {
		return
	}
	var first *deprecation
	for i := range op.deprecatedInput {
		d := &op.deprecatedInput[i]
		sent := false
		if d.query >= 0 {
			sent = d.query < len(in.given) && in.given[d.query]
		} else {
			_, sent = in.body[d.name]
		}
		if sent && (first == nil || d.since.Before(first.since)) {
			first = &d.deprecation
		}
	}
	if first != nil {
		announceDeprecation(c, op, *first)
	}
}

// announceDeprecation sets the headers of RFC 9745 and RFC 8594. The link comes after the links of a list, which the operation sets,
// because some clients read only the first Link header.
func announceDeprecation(c echo.Context, op *Operation, d deprecation) {
	res := c.Response()
	res.Header().Set("Deprecation", "@"+strconv.FormatInt(d.since.Unix(), 10))
	if d.sunset != "" {
		res.Header().Set("Sunset", d.sunset)
	}
	link := "<" + info(c).BaseURL + op.page + `>; rel="deprecation"; type="text/html"`
	res.Before(func() { res.Header().Add("Link", link) })
}

// addDeprecations reads what is deprecated in an operation.
func (o *Operation) addDeprecations(op *openapi3.Operation) error {
	if len(op.Tags) > 0 {
		o.page = "/-/docs/api/" + op.Tags[0] + "#" + strings.ToLower(op.OperationID)
	}
	if op.Deprecated {
		d, err := readDeprecation(op.Extensions)
		if err != nil {
			return err
		}
		o.deprecated = &d
	}
	if o.body == nil {
		return nil
	}
	for name, member := range o.body.Properties {
		if !member.Value.Deprecated {
			continue
		}
		d, err := readDeprecation(member.Value.Extensions)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		o.deprecatedInput = append(o.deprecatedInput, deprecatedInput{query: -1, name: name, deprecation: d})
	}
	return nil
}

// addDeprecatedQuery remembers the query parameter that was added last.
func (o *Operation) addDeprecatedQuery(p *openapi3.Parameter) error {
	d, err := readDeprecation(p.Extensions)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	o.deprecatedInput = append(o.deprecatedInput, deprecatedInput{query: len(o.query) - 1, deprecation: d})
	return nil
}

func readDeprecation(extensions map[string]any) (deprecation, error) {
	day, _ := extensions["x-deprecated-since"].(string)
	since, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return deprecation{}, fmt.Errorf("x-deprecated-since: %w", err)
	}
	d := deprecation{since: since}
	if day, ok := extensions["x-sunset"].(string); ok {
		end, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return deprecation{}, fmt.Errorf("x-sunset: %w", err)
		}
		d.sunset = end.Format(http.TimeFormat)
	}
	return d, nil
}
