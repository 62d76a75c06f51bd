package present

import (
	"html"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// LabelBasic presents a label in the form that other resources contain.
func LabelBasic(l model.Label) gen.LabelBasic {
	return gen.LabelBasic{
		ID: l.ID, Name: l.Name, Description: l.Description, DescriptionHTML: asHTML(l.Description),
		TextColor: textColor(l.Color), Color: l.Color,
	}
}

// labels presents the labels of an issue or merge request: their names, or all details.
func labels(rows []model.Label, details bool) []any {
	return All(rows, func(l model.Label) any {
		if details {
			return LabelBasic(l)
		}
		return l.Name
	})
}

// Label presents a label in a project, with the number of its uses if counts is set.
func Label(counts bool) func(model.LabelRow) gen.Label {
	return func(r model.LabelRow) gen.Label {
		l := r.Label
		shown := gen.Label{
			ID: l.ID, Name: l.Name, Description: l.Description, DescriptionHTML: asHTML(l.Description),
			TextColor: textColor(l.Color), Color: l.Color,
			Subscribed: r.Subscribed, Priority: r.Priority, IsProjectLabel: l.ProjectID != nil,
		}
		if counts {
			shown.OpenIssuesCount, shown.ClosedIssuesCount, shown.OpenMergeRequestsCount =
				&r.OpenIssues, &r.ClosedIssues, &r.OpenMergeRequests
		}
		return shown
	}
}

// GroupLabel presents a label in a group, with the number of its uses if counts is set.
func GroupLabel(counts bool) func(model.LabelRow) gen.GroupLabel {
	return func(r model.LabelRow) gen.GroupLabel {
		l := r.Label
		shown := gen.GroupLabel{
			ID: l.ID, Name: l.Name, Description: l.Description, DescriptionHTML: asHTML(l.Description),
			TextColor: textColor(l.Color), Color: l.Color, Subscribed: r.Subscribed,
		}
		if counts {
			shown.OpenIssuesCount, shown.ClosedIssuesCount, shown.OpenMergeRequestsCount =
				&r.OpenIssues, &r.ClosedIssues, &r.OpenMergeRequests
		}
		return shown
	}
}

func asHTML(text *string) string {
	if text == nil {
		return ""
	}
	return html.EscapeString(*text)
}

// textColor returns a text color for a background: dark on a light one, otherwise white.
func textColor(color string) string {
	const light = 500 // of 765, which is white
	n, err := strconv.ParseUint(color[min(1, len(color)):], 16, 32)
	if err == nil && len(color) == 7 && n>>16+n>>8&0xff+n&0xff > light {
		return "#1F1E24"
	}
	return "#FFFFFF"
}

// Board presents a board of a project or, if project is nil, of a group.
func (p Presenter) Board(project *model.Project, group *model.Namespace) func(model.BoardRow) gen.Board {
	return func(r model.BoardRow) gen.Board {
		shown := gen.Board{
			ID: r.Board.ID, Name: r.Board.Name, HideBacklogList: r.Board.HideBacklogList,
			HideClosedList: r.Board.HideClosedList, Lists: All(r.Lists, BoardList),
		}
		if project != nil {
			shown.Project = &gen.BoardProject{
				ID: project.ID, Name: project.Name, NameWithNamespace: project.FullName, Path: project.Path,
				PathWithNamespace: project.FullPath, WebURL: p.Base + "/" + project.FullPath,
			}
		}
		if group != nil {
			shown.Group = &gen.BoardGroup{ID: group.ID, Name: group.Name, WebURL: p.Base + "/groups/" + group.FullPath}
		}
		return shown
	}
}

// BoardList presents a list of a board.
func BoardList(r model.BoardListRow) gen.BoardList {
	return gen.BoardList{ID: r.List.ID, Label: LabelBasic(r.Label), Position: r.List.Position}
}

// TodoProject presents the project that a to-do item is in.
func TodoProject(p model.Project) gen.TodoProject {
	return gen.TodoProject{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.FullName, Path: p.Path,
		PathWithNamespace: p.FullPath, CreatedAt: wire.NewTime(p.CreatedAt),
	}
}
