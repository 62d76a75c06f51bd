package git

import "strings"

// Trailer is a line like «Reviewed-by: Jane» at the end of a message.
type Trailer struct{ Key, Value string }

// Trailers returns the trailers of the message by the rules of git interpret-trailers: the last paragraph, unless it is
// the title, must consist of trailers only, or include one that git itself writes and at most three other lines for
// each trailer.
func (c Commit) Trailers() []Trailer {
	text := strings.TrimRight(c.Message, " \t\r\n")
	at := strings.LastIndex(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	if at < 0 {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n")[at+2:], "\n")
	var found []Trailer
	trailers, others, known := 0, 0, false
	for _, line := range lines {
		key, value, ok := trailer(line)
		switch {
		case strings.HasPrefix(line, "(cherry picked from commit "):
			trailers, known = trailers+1, true
		case ok:
			found = append(found, Trailer{key, value})
			trailers, known = trailers+1, known || key == "Signed-off-by"
		case line != "" && (line[0] == ' ' || line[0] == '\t') && trailers > 0:
			if len(found) > 0 { // a continued value
				found[len(found)-1].Value += "\n" + line
			}
		case strings.TrimSpace(line) != "":
			others++
		}
	}
	if others > 0 && (!known || trailers*3 < others) {
		return nil
	}
	return found
}

// trailer reads «key: value»; a key consists of letters, digits and dashes.
func trailer(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	key = strings.TrimRight(key, " \t")
	if !ok || key == "" || line[0] == ' ' || line[0] == '\t' {
		return "", "", false
	}
	for i := range len(key) {
		if c := key[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			return "", "", false
		}
	}
	return key, strings.TrimSpace(value), true
}
