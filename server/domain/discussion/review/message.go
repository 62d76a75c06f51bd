package review

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// defaultMessage is the message of a commit that applies suggestions, unless the project or the caller has another one.
const defaultMessage = "Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)"

var placeholder = regexp.MustCompile(`%\{([a-z_]+)\}`)

// message returns the message of a commit that applies suggestions. It fills the placeholders of the template, and names
// the authors of the suggestions who are not the caller. Unknown placeholders stay.
func (s *Service) message(
	ctx context.Context, project model.Project, mr model.MergeRequest, rows []model.SuggestionRow, given string,
) (string, error) {
	template := defaultMessage
	for _, text := range []string{given, wire.Value(project.SuggestionCommitMessage)} {
		if strings.TrimSpace(text) != "" {
			template = text
			break
		}
	}
	me, wanted, paths := reqctx.Of(ctx).Actor.User.ID, map[int64]bool{}, []string(nil)
	wanted[me] = true
	for _, row := range rows {
		wanted[row.Note.AuthorID] = true
		if !slices.Contains(paths, row.Suggestion.Path) {
			paths = append(paths, row.Suggestion.Path)
		}
	}
	people := slices.Sorted(maps.Keys(wanted))
	users, err := s.store.Users.ByID(ctx, people)
	if err != nil {
		return "", err
	}
	var authors []string
	for _, id := range people {
		if u, ok := users[id]; ok && id != me {
			authors = append(authors, "Co-authored-by: "+u.Name+" <"+u.CommitAddress(s.baseURL)+">")
		}
	}
	values := map[string]string{
		"branch_name": mr.SourceBranch, "files_count": strconv.Itoa(len(paths)), "file_paths": strings.Join(paths, ", "),
		"project_name": project.Name, "project_path": project.Path, "user_full_name": users[me].Name,
		"username": users[me].Username, "suggestions_count": strconv.Itoa(len(rows)),
		"co_authored_by": strings.Join(authors, "\n"),
	}
	text := placeholder.ReplaceAllStringFunc(template, func(found string) string {
		if value, known := values[found[2:len(found)-1]]; known {
			return value
		}
		return found
	})
	if len(authors) > 0 && !strings.Contains(template, "%{co_authored_by}") {
		text = strings.TrimRight(text, "\n") + "\n\n" + strings.Join(authors, "\n")
	}
	return text, nil
}
