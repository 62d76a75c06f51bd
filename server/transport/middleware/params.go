package middleware

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/fold"
	"svc/server/platform/reqctx"

	"github.com/labstack/echo/v4"
)

// Fold turns JSON, form, multipart and query input into the one JSON shape that the document describes, with its types.
// Validation and the operation see nothing else. patience is how long the client may take to send the body.
func Fold(ops *Operations, patience time.Duration) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op := ops.Of(c)
			if op == nil {
				return next(c)
			}
			if op.Raw {
				_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(patience))
				return next(c)
			}
			in := &input{}
			if err := foldPath(c, op); err != nil {
				return err
			}
			pairs, err := fold.ParseQuery(c.Request().URL.RawQuery, fold.DefaultLimits)
			if err != nil {
				return badInput(err)
			}
			in.keyset = asksKeyset(op, pairs)
			if in.keyset && !op.keyset {
				return apierr.NoKeyset()
			}
			if err := foldQuery(c, op, pairs, in); err != nil {
				return err
			}
			if op.body != nil {
				// Not every writer has a connection behind it, so an error here does not matter.
				_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(patience))
				if err := foldBody(c, op, pairs, in); err != nil {
					return err
				}
			} else if err := peekBody(c); err != nil {
				return err
			}
			if len(op.deprecatedInput) > 0 {
				announceInput(c, op, in)
			}
			info(c).Input = in
			return next(c)
		}
	}
}

// input is the input of a request after Fold, typed for validation.
type input struct {
	query  []any // by position in op.query; nil for a parameter that is not given
	given  []bool
	body   map[string]any
	keyset bool // the caller requests keyset pagination
}

// asksKeyset reports whether the request asks a list for keyset pagination.
func asksKeyset(op *Operation, pairs []fold.Pair) bool {
	return op.list && slices.Contains(pairs, fold.Pair{Name: "pagination", Value: "keyset"})
}

func badInput(err error) error {
	var bad *fold.Error
	if errors.As(err, &bad) {
		return apierr.BadParameter(bad.Error())
	}
	return err
}

// malformed is badInput for JSON: text that is not JSON has a code of its own.
func malformed(err error) error {
	var bad *fold.Error
	if errors.As(err, &bad) && bad.Name == "" {
		return apierr.Malformed(bad.Error())
	}
	return badInput(err)
}

// foldPath removes a tolerated .json suffix from a number and refuses text that the database cannot store. An id may
// also be the path of a project, which may end in .json.
func foldPath(c echo.Context, op *Operation) error {
	if len(op.path) == 0 {
		return nil
	}
	names, values := c.ParamNames(), c.ParamValues()
	for i, name := range names {
		value := values[i]
		if c.Request().URL.RawPath != "" {
			decoded, err := url.PathUnescape(value)
			if err != nil {
				return apierr.NoRoute()
			}
			value = decoded
		}
		if !cleanText(value) {
			return apierr.BadParameter(name + " is invalid")
		}
		for _, p := range op.path {
			if p.name != name {
				continue
			}
			before, suffixed := strings.CutSuffix(values[i], ".json")
			if suffixed && (p.schema.Type.Is("integer") || (name == "id" && isNumber(before))) {
				values[i] = before
			}
			if name == "id" && hasPlus(value) {
				return apierr.NoRoute()
			}
		}
	}
	return nil
}

// isNumber reports whether a text consists of digits.
func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// hasPlus reports whether a text is a number with a plus sign, which is not an id.
func hasPlus(s string) bool {
	digits, found := strings.CutPrefix(s, "+")
	return found && isNumber(digits)
}

// foldQuery writes each declared parameter back in its canonical spelling, which the generated binding reads.
func foldQuery(c echo.Context, op *Operation, pairs []fold.Pair, in *input) error {
	if len(op.query) == 0 {
		return nil
	}
	in.query, in.given = make([]any, len(op.query)), make([]bool, len(op.query))
	if len(pairs) == 0 {
		return nil
	}
	query := c.QueryParams() // the binding reads the same map
	for i := range op.query {
		p := &op.query[i]
		if p.object {
			if err := foldObject(query, p, pairs, in, i); err != nil {
				return err
			}
			continue
		}
		value, err := p.reader().Read(pairs)
		if err != nil {
			return badInput(err)
		}
		if !value.Named {
			continue
		}
		remove(query, pairs, p.plain)
		if value.Canonical != nil {
			query[p.name] = value.Canonical
		}
		in.query[i], in.given[i] = value.Typed, value.Given
	}
	return nil
}

func foldObject(query url.Values, p *parameter, pairs []fold.Pair, in *input, i int) error {
	object, canonical, err := p.reader().ReadObject(pairs)
	if err != nil {
		return badInput(err)
	}
	remove(query, pairs, p.plain)
	for key, text := range canonical {
		query[p.plain+"["+key+"]"] = []string{text}
	}
	if len(object) > 0 {
		in.query[i], in.given[i] = object, true
	}
	return nil
}

// remove deletes every spelling of a parameter from a query.
func remove(query url.Values, pairs []fold.Pair, name string) {
	for _, pair := range pairs {
		if rest, ok := strings.CutPrefix(pair.Name, name); ok && (rest == "" || rest[0] == '[') {
			delete(query, pair.Name)
		}
	}
}

func (p *parameter) reader() fold.Parameter {
	return fold.Parameter{Name: p.plain, Schema: p.schema, Required: p.required}
}

func foldBody(c echo.Context, op *Operation, pairs []fold.Pair, in *input) error {
	body, err := readBody(c.Request(), op)
	if err == nil {
		err = checkBody(body)
	}
	if err != nil {
		return err
	}
	if len(pairs) > 0 {
		query, err := fold.Nest(pairs, op.body, fold.DefaultLimits)
		if err != nil {
			return badInput(err)
		}
		body = fold.Merge(body, query, op.body)
	}
	coerced, ok := fold.Coerce(body, op.body).(map[string]any)
	if !ok {
		return apierr.Malformed("The request body must be an object")
	}
	in.body = coerced
	return nil
}

// readBody decodes a body of any accepted type. An empty body means no parameters, whatever its declared type.
func readBody(r *http.Request, op *Operation) (map[string]any, error) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return map[string]any{}, nil
	}
	declared := r.Header.Get(echo.HeaderContentType)
	media, params, err := mediaType(declared)
	if err == nil && media == "multipart/form-data" {
		return readMultipart(r, op, params["boundary"])
	}
	data, readErr := readAll(r)
	switch {
	case readErr != nil:
		return nil, bodyError(readErr)
	case len(data) == 0:
		return map[string]any{}, nil
	case err == nil && (media == "application/json" || strings.HasSuffix(media, "+json")):
		return readJSON(data)
	}
	reqctx.Of(r.Context()).LooksLikeJSON = looksLikeJSON(data)
	if err == nil && media == "application/x-www-form-urlencoded" {
		pairs, err := fold.ParseQuery(string(data), fold.DefaultLimits)
		if err != nil {
			return nil, badInput(err)
		}
		return nest(pairs, op)
	}
	return nil, apierr.UnsupportedMedia(declared)
}

// mediaType skips the parser for the usual spelling.
func mediaType(declared string) (media string, params map[string]string, err error) {
	if declared == echo.MIMEApplicationJSON {
		return declared, nil, nil
	}
	return mime.ParseMediaType(declared)
}

// smallBody is the length up to which the announced size of a body is allocated at once.
const smallBody = 64 << 10

func readAll(r *http.Request) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > smallBody {
		return io.ReadAll(r.Body)
	}
	data := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, data)
	return data, err
}

func readJSON(data []byte) (map[string]any, error) {
	v, err := fold.JSON(data, fold.DefaultLimits)
	if err != nil {
		return nil, malformed(err)
	}
	if v == nil { // a client without options sends null
		return map[string]any{}, nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, apierr.Malformed("The request body must be an object")
	}
	return object, nil
}

func nest(pairs []fold.Pair, op *Operation) (map[string]any, error) {
	body, err := fold.Nest(pairs, op.body, fold.DefaultLimits)
	return body, badInput(err)
}

// readMultipart reads fields and files in the same way: a certificate may come as a file, and an empty field removes an
// avatar. Operations for large files declare a body of their own and read it as a stream.
func readMultipart(r *http.Request, op *Operation, boundary string) (map[string]any, error) {
	if boundary == "" {
		return nil, apierr.Malformed("The multipart body has no boundary")
	}
	all, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyError(err)
	}
	// The reader accepts a body that ends between two parts as complete.
	if !bytes.Contains(all, []byte("--"+boundary+"--")) {
		return nil, bodyError(io.ErrUnexpectedEOF)
	}
	var pairs []fold.Pair
	reader := multipart.NewReader(bytes.NewReader(all), boundary)
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return nest(pairs, op)
		}
		if err != nil {
			return nil, bodyError(err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, bodyError(err)
		}
		if len(pairs) >= fold.DefaultLimits.Values {
			return nil, apierr.BadParameter("too many parameters")
		}
		pairs = append(pairs, fold.Pair{Name: part.FormName(), Value: partText(op, part.FormName(), data)})
	}
}

// partText returns a part in the form of the JSON shape: base64 if the document has binary, otherwise text.
func partText(op *Operation, name string, data []byte) string {
	if s := fold.Property(op.body, name); s != nil && s.Format == "binary" {
		return base64.StdEncoding.EncodeToString(data)
	}
	return string(data)
}

// bodyError distinguishes a body that is too large or too slow from one that is incomplete or malformed.
func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return tooLargeBody(tooLarge.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return apierr.Timeout()
	}
	return apierr.Malformed("The request body could not be read")
}

// cleanText reports whether the database can store a text: valid UTF-8 without NUL.
func cleanText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
