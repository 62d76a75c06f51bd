package gitssh

import (
	"regexp"
	"strings"

	"svc/store/git"
)

// parse reads the command of a git client: a service, and a path that is quoted the way git does it. It returns false
// for any other command.
func parse(command string) (service git.Service, project string, ok bool) {
	if rest, dashed := strings.CutPrefix(command, "git "); dashed {
		command = "git-" + rest
	}
	name, quoted, ok := strings.Cut(command, " ")
	service = git.Service(name)
	if !ok || (service != git.UploadPack && service != git.ReceivePack) {
		return "", "", false
	}
	project, ok = projectPath(quoted)
	return service, project, ok
}

// aliasName matches the names that aliases of projects can have.
var aliasName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// projectPath returns the path of the project in a quoted path.
func projectPath(quoted string) (string, bool) {
	path, ok := unquote(strings.TrimSpace(quoted))
	if !ok {
		return "", false
	}
	project := strings.TrimSuffix(strings.Trim(strings.TrimPrefix(path, "/~/"), "/"), ".git")
	return project, strings.Contains(project, "/") || aliasName.MatchString(project)
}

// unquote removes git's quoting: the text is in single quotes, except ! and ', which are outside of them with a
// backslash.
func unquote(text string) (string, bool) {
	if !strings.Contains(text, "'") {
		return text, text != "" && !strings.ContainsAny(text, "\"\\$`;&|<>(){}*?! \t\n")
	}
	var b strings.Builder
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'':
			inside = !inside
		case inside:
			b.WriteByte(c)
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\'' || text[i+1] == '!'):
			i++
			b.WriteByte(text[i])
		default:
			return "", false
		}
	}
	return b.String(), !inside
}
