package logview

import (
	"html"
	"html/template"
	"strconv"
	"strings"
)

// style is the text style that the escape sequences so far have set.
type style struct {
	front, back                  int // 1 to 16, as terminals number colours; 0 for none
	bold, dim, italic, underline bool
}

// html escapes a text and wraps styled parts in spans. The style at the end of the text applies to the next text.
func (s *style) html(text string) template.HTML {
	var out strings.Builder
	for text != "" {
		i := strings.IndexByte(text, '\x1b')
		if i < 0 {
			i = len(text)
		}
		s.write(&out, text[:i])
		text = s.escape(text[i:])
	}
	return template.HTML(out.String()) //nolint:gosec // everything in it was escaped by write
}

func (s *style) write(out *strings.Builder, text string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	if text == "" {
		return
	}
	class := s.class()
	if class == "" {
		out.WriteString(html.EscapeString(text))
		return
	}
	out.WriteString(`<span class="` + class + `">` + html.EscapeString(text) + "</span>")
}

func (s *style) class() string {
	var all []string
	if s.front > 0 {
		all = append(all, "f"+strconv.Itoa(s.front-1))
	}
	if s.back > 0 {
		all = append(all, "b"+strconv.Itoa(s.back-1))
	}
	if s.bold {
		all = append(all, "bold")
	}
	if s.dim {
		all = append(all, "dim")
	}
	if s.italic {
		all = append(all, "italic")
	}
	if s.underline {
		all = append(all, "under")
	}
	return strings.Join(all, " ")
}

// escape reads the escape sequence at the start of a text and returns the rest of the text. It ignores sequences that
// do not set a style.
func (s *style) escape(text string) string {
	if len(text) < 2 {
		return ""
	}
	switch text[1] {
	case '[':
		end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			return ""
		}
		if text[2+end] == 'm' {
			s.set(strings.Split(text[2:2+end], ";"))
		}
		return text[2+end+1:]
	case ']': // a title or link, up to BEL or ESC \
		if i := strings.IndexAny(text[2:], "\a\x1b"); i >= 0 {
			return strings.TrimPrefix(strings.TrimPrefix(text[2+i:], "\a"), "\x1b\\")
		}
		return ""
	}
	return text[2:]
}

// set applies the codes of one escape sequence.
func (s *style) set(codes []string) {
	for i := 0; i < len(codes); i++ {
		n, err := strconv.Atoi(codes[i])
		if err != nil && codes[i] != "" {
			continue
		}
		switch {
		case n == 0:
			*s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 4:
			s.underline = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n == 24:
			s.underline = false
		case n >= 30 && n <= 37:
			s.front = n - 30 + 1
		case n >= 90 && n <= 97:
			s.front = n - 90 + 9
		case n >= 40 && n <= 47:
			s.back = n - 40 + 1
		case n >= 100 && n <= 107:
			s.back = n - 100 + 9
		case n == 39:
			s.front = 0
		case n == 49:
			s.back = 0
		case n == 38 || n == 48:
			color, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				s.front = color
			} else {
				s.back = color
			}
		}
	}
}

// extended reads a 256-colour or 24-bit colour code and returns the nearest of the sixteen colours.
func extended(codes []string) (color, used int) {
	number := func(i int) int {
		if i >= len(codes) {
			return 0
		}
		n, _ := strconv.Atoi(codes[i])
		return min(max(n, 0), 255)
	}
	if len(codes) == 0 {
		return 0, 0
	}
	switch codes[0] {
	case "5":
		return nearest256(number(1)), 2
	case "2":
		return nearest(number(1), number(2), number(3)), 4
	}
	return 0, 1
}

func nearest256(n int) int {
	switch {
	case n < 16:
		return n + 1
	case n < 232:
		n -= 16
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		return nearest(level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return nearest(grey, grey, grey)
}

// nearest returns the nearest of the sixteen colours.
func nearest(red, green, blue int) int {
	top, bottom := max(red, green, blue), min(red, green, blue)
	if top-bottom < 40 {
		switch {
		case top < 64:
			return 1
		case top < 128:
			return 9
		case top < 208:
			return 8
		}
		return 16
	}
	bit := func(v, value int) int {
		if v > bottom+(top-bottom)/2 {
			return value
		}
		return 0
	}
	color := bit(red, 1) + bit(green, 2) + bit(blue, 4) + 1
	if top > 192 {
		color += 8
	}
	return color
}
