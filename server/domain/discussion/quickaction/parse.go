package quickaction

import (
	"regexp"
	"strings"
)

// maxCommands is how many quick actions of one text are carried out; further ones stay in the text.
const maxCommands = 50

// A quick action is a line of its own. Its argument follows on the same line.
var (
	commandLine = regexp.MustCompile(`^/([a-z_]{1,40})(?:[ \t]+(\S.*?))?[ \t\r]*$`)
	fence       = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// Command is one quick action. Its name is not an alias.
type Command struct{ Name, Argument string }

// Commands are the quick actions of a text, in their order.
type Commands []Command

// Split removes the quick actions from a text about an issue or a merge request and returns them. Lines in code blocks,
// quick actions for another kind of item, and unknown commands stay in the text.
func Split(kind, body string) (rest string, commands Commands) {
	if !strings.Contains(body, "/") {
		return body, nil
	}
	var kept strings.Builder
	fenced := ""
	for line := range strings.Lines(body) {
		if m := fence.FindStringSubmatch(line); m != nil {
			switch {
			case fenced == "":
				fenced = m[1]
			case strings.HasPrefix(m[1], fenced):
				fenced = ""
			}
		}
		text := strings.TrimRight(line, "\n")
		m := commandLine.FindStringSubmatch(text)
		if m == nil || fenced != "" {
			kept.WriteString(line)
			continue
		}
		if face, ok := emoticons[m[1]]; ok {
			kept.WriteString(strings.TrimSpace(m[2]+" "+face) + line[len(text):])
			continue
		}
		c := Command{Name: m[1], Argument: m[2]}
		if name, ok := aliases[c.Name]; ok {
			c.Name = name
		}
		if v, known := specs[c.Name]; !known || !v.fits(kind, c.Argument) || len(commands) == maxCommands {
			kept.WriteString(line)
			continue
		}
		commands = append(commands, c)
	}
	return kept.String(), commands
}
