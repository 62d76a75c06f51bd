package talk

import (
	"context"
	"regexp"
	"strings"

	"svc/server/access"
	"svc/store/model"
)

// mostNamed is how many users one text can name: beyond that it is a circular.
const mostNamed = 100

var (
	codeBlock = regexp.MustCompile("(?s)(?:^|\n)(?:```.*?(?:\n```|$)|~~~.*?(?:\n~~~|$))")
	codeSpan  = regexp.MustCompile("`[^`\n]*`")
	quoted    = regexp.MustCompile(`(?m)^ {0,3}>.*$`)
	mention   = regexp.MustCompile(`(?:^|[^\w@/.+-])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)`)
	opening   = regexp.MustCompile(`^\s*((?:@[A-Za-z0-9_][A-Za-z0-9_.-]*[,:;]?(?:\s+(?:and\s+)?|$))+)`)
)

// Named are the users that a text names, each once; those that it begins with are addressed.
type Named struct {
	Names     []string
	Addressed map[string]bool // by the name in lower case
}

// Mentions finds who is named in a text. Code and what is quoted names nobody.
func Mentions(text string) Named {
	text = codeSpan.ReplaceAllString(codeBlock.ReplaceAllString(text, "\n"), " ")
	text = quoted.ReplaceAllString(text, "")
	named := Named{Addressed: map[string]bool{}}
	seen := map[string]bool{}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(m[1])
		if !seen[name] && len(name) <= 255 && len(named.Names) < mostNamed {
			seen[name] = true
			named.Names = append(named.Names, m[1])
		}
	}
	if m := opening.FindStringSubmatch(text); m != nil {
		for _, word := range strings.Fields(m[1]) {
			if name, ok := strings.CutPrefix(word, "@"); ok {
				named.Addressed[strings.ToLower(strings.TrimRight(name, ",:;."))] = true
			}
		}
	}
	return named
}

// todos asks who is named, and may read the note, to look at it; those in before are not asked again.
func (t *Talk) todos(ctx context.Context, p Place, note model.Note, before ...map[string]bool) ([]model.Todo, error) {
	named := Mentions(note.Body)
	if len(named.Names) == 0 || p.On.ID == 0 {
		return nil, nil
	}
	users, err := t.store.Users.ByUsername(ctx, named.Names)
	if err != nil || len(users) == 0 {
		return nil, err
	}
	var people []model.User
	for name, u := range users {
		old := len(before) > 0 && before[0][strings.ToLower(name)]
		if u.ID != p.Caller && u.Kind == model.UserHuman && !old {
			people = append(people, u)
		}
	}
	rows, err := t.access.Rows(ctx, p.Row.Project, people)
	if err != nil {
		return nil, err
	}
	var todos []model.Todo
	for _, u := range people {
		row, sees := rows[u.ID]
		if !sees || !access.ReadsNoteable(row, p.On, u.ID) || (note.Internal && !access.ReadsInternal(row)) {
			continue
		}
		action := "mentioned"
		if named.Addressed[strings.ToLower(u.Username)] {
			action = "directly_addressed"
		}
		todos = append(todos, model.Todo{
			UserID: u.ID, ProjectID: p.Row.Project.ID, AuthorID: p.Caller, ActionName: action, TargetType: p.On.Type, TargetID: p.On.ID, State: "pending",
		})
	}
	return todos, nil
}
