package packagehttp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// npmSplitter reads the JSON that npm publishes: the description of a package, and its tarball as a base64 text. The
// tarball can be large, so it is passed on while it is read, and only the rest is kept.
type npmSplitter struct {
	in      *bufio.Reader
	out     []byte
	path    []string                   // names of the members around the current value
	receive func(text io.Reader) error // gets the text of the tarball, once
	given   bool
}

const (
	maxNPMDocument = 4 << 20 // bytes of a document without its tarball
	maxNPMDepth    = 64      // levels of a document
)

var (
	errNPMSyntax   = errors.New("the body is not valid JSON")
	errNPMTooLarge = errors.New("the description of the package is too large")
	errNPMSeveral  = errors.New("there is more than one file")
)

// split reads a document. It returns the document with an empty text in place of the tarball.
func (s *npmSplitter) split() ([]byte, error) {
	if err := s.value(); err != nil {
		return nil, err
	}
	if _, err := s.skipSpace(); !errors.Is(err, io.EOF) {
		return nil, errors.Join(errNPMSyntax, err)
	}
	return s.out, nil
}

// keep appends bytes to the document.
func (s *npmSplitter) keep(p ...byte) error {
	if len(s.out)+len(p) > maxNPMDocument {
		return errNPMTooLarge
	}
	s.out = append(s.out, p...)
	return nil
}

// skipSpace returns the next byte that is no space, without reading it.
func (s *npmSplitter) skipSpace() (byte, error) {
	for {
		b, err := s.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b, s.in.UnreadByte()
		}
	}
}

// expect reads one of two bytes, and keeps it.
func (s *npmSplitter) expect(one, other byte) (byte, error) {
	b, err := s.skipSpace()
	if err != nil {
		return 0, unexpectedEnd(err)
	}
	if b != one && b != other {
		return 0, errNPMSyntax
	}
	_, _ = s.in.ReadByte() // skipSpace has seen it
	return b, s.keep(b)
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// value reads any value.
func (s *npmSplitter) value() error {
	b, err := s.skipSpace()
	switch {
	case err != nil:
		return unexpectedEnd(err)
	case len(s.path) > maxNPMDepth:
		return errNPMTooLarge
	case b == '{':
		return s.container('{', '}', s.member)
	case b == '[':
		return s.container('[', ']', func() error { return s.within("", s.value) })
	case b == '"':
		_, err := s.text()
		return err
	}
	return s.literal()
}

// container reads the elements of an object or array.
func (s *npmSplitter) container(first, last byte, element func() error) error {
	if _, err := s.expect(first, first); err != nil {
		return err
	}
	b, err := s.skipSpace()
	if err != nil {
		return unexpectedEnd(err)
	}
	if b == last {
		_, err := s.expect(last, last)
		return err
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if b, err := s.expect(',', last); err != nil || b == last {
			return err
		}
	}
}

// member reads a member of an object.
func (s *npmSplitter) member() error {
	if b, err := s.skipSpace(); err != nil || b != '"' {
		return errors.Join(errNPMSyntax, err)
	}
	raw, err := s.text()
	if err != nil {
		return err
	}
	var name string
	if json.Unmarshal(raw, &name) != nil {
		return errNPMSyntax
	}
	if _, err := s.expect(':', ':'); err != nil {
		return err
	}
	return s.within(name, func() error {
		if len(s.path) == 3 && s.path[0] == "_attachments" && s.path[2] == "data" {
			return s.tarball()
		}
		return s.value()
	})
}

// within reads something inside a member or an element.
func (s *npmSplitter) within(name string, read func() error) error {
	s.path = append(s.path, name)
	err := read()
	s.path = s.path[:len(s.path)-1]
	return err
}

// tarball passes the text of the tarball on.
func (s *npmSplitter) tarball() error {
	if b, err := s.skipSpace(); err != nil || b != '"' {
		return errors.Join(errNPMSyntax, err)
	}
	if s.given {
		return errNPMSeveral
	}
	s.given = true
	_, _ = s.in.ReadByte()
	text := &textReader{in: s.in}
	if err := s.receive(text); err != nil {
		return err
	}
	if !text.ended {
		return errNPMSyntax
	}
	return s.keep('"', '"')
}

// text reads a text with its quotes, keeps it and returns it.
func (s *npmSplitter) text() ([]byte, error) {
	begin := len(s.out)
	for i := 0; ; i++ {
		b, err := s.in.ReadByte()
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		if err := s.keep(b); err != nil {
			return nil, err
		}
		if b == '\\' {
			if b, err = s.in.ReadByte(); err != nil {
				return nil, unexpectedEnd(err)
			}
			if err := s.keep(b); err != nil {
				return nil, err
			}
			continue
		}
		if b == '"' && i > 0 {
			return s.out[begin:], nil
		}
	}
}

// literal reads a number, true, false or null. Whether it is one is checked when the document is decoded.
func (s *npmSplitter) literal() error {
	for i := 0; ; i++ {
		b, err := s.in.ReadByte()
		if errors.Is(err, io.EOF) && i > 0 {
			return nil
		}
		if err != nil {
			return unexpectedEnd(err)
		}
		if bytes.IndexByte([]byte(",]} \t\r\n:[{\""), b) >= 0 {
			if i == 0 {
				return errNPMSyntax
			}
			return s.in.UnreadByte()
		}
		if err := s.keep(b); err != nil {
			return err
		}
	}
}

// textReader reads the inside of a text in JSON, up to its quote. The only escape that it knows is that of a slash,
// because base64 needs no other.
type textReader struct {
	in    *bufio.Reader
	ended bool
}

// Read reads the next bytes.
func (t *textReader) Read(p []byte) (int, error) {
	if t.ended {
		return 0, io.EOF
	}
	if _, err := t.in.Peek(1); err != nil {
		return 0, unexpectedEnd(err)
	}
	next, _ := t.in.Peek(min(t.in.Buffered(), len(p)))
	at := bytes.IndexAny(next, `"\`)
	switch {
	case at > 0:
		next = next[:at]
	case at == 0 && next[0] == '"':
		t.ended = true
		_, _ = t.in.Discard(1) // Peek has seen it
		return 0, io.EOF
	case at == 0:
		return t.slash(p)
	}
	n := copy(p, next)
	_, err := t.in.Discard(n)
	return n, err
}

// slash reads an escaped slash.
func (t *textReader) slash(p []byte) (int, error) {
	pair, err := t.in.Peek(2)
	if err != nil || pair[1] != '/' {
		return 0, errors.Join(errNPMSyntax, err)
	}
	p[0] = '/'
	_, err = t.in.Discard(2)
	return 1, err
}
