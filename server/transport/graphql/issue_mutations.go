package graphql

import (
	"context"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/discussion/award"
	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

func (h *Handler) issuableMutations() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Mutation": {
			"createIssue":          mutation(h.createIssue),
			"updateIssue":          mutation(h.updateIssue),
			"issueSetConfidential": mutation(h.updateIssue),
			"issueSetLocked":       mutation(h.updateIssue),
			"mergeRequestUpdate":   mutation(h.updateMergeRequest),
			"mergeRequestSetDraft": mutation(h.setDraft),
			"awardEmojiAdd":        mutation(h.addAward),
			"awardEmojiRemove":     mutation(h.removeAward),
			"awardEmojiToggle":     mutation(h.toggleAward),
			"todoMarkDone":         mutation(h.markTodoDone),
		},
		"AwardEmoji": {
			"name": engine.Value(func(a model.AwardRow) any { return a.Award.Name }),
			"user": engine.Value(func(a model.AwardRow) any { return a.User }),
		},
		"Todo": {
			"id":        engine.Value(func(t model.TodoRow) any { return gid("Todo", t.Todo.ID) }),
			"state":     engine.Value(func(t model.TodoRow) any { return t.Todo.State }),
			"createdAt": engine.Value(func(t model.TodoRow) any { return t.Todo.CreatedAt }),
		},
	}
}

// textsPtr returns a list of texts; nil if it is not given.
func textsPtr(in engine.Args, name string) *[]string {
	if in[name] == nil {
		return nil
	}
	all := append([]string{}, in.Texts(name)...)
	return &all
}

// assignees returns the users to assign; nil if they are not given.
func assignees(in engine.Args) (*[]int64, error) {
	if in["assigneeIds"] == nil {
		return nil, nil
	}
	ids, err := readGIDs(in.Texts("assigneeIds"), "User")
	return &ids, err
}

func (h *Handler) createIssue(ctx context.Context, in engine.Args) (payload, error) {
	row, err := h.findProject(ctx, in.Text("projectPath"), access.CreateIssue)
	if err != nil {
		return nil, err
	}
	n := issue.New{
		Title: in.Text("title"), Description: in.TextPtr("description"), Type: strings.ToLower(in.Text("type")),
		Confidential: in.Bool("confidential"), Labels: textsPtr(in, "labels"),
	}
	if n.DueDate, err = in.Time("dueDate"); err != nil {
		return nil, &engine.Error{Message: err.Error()}
	}
	ids, err := assignees(in)
	if err != nil {
		return nil, err
	}
	if ids != nil {
		n.AssigneeIDs = *ids
	}
	made, err := h.Issues.Create(ctx, row, n)
	if err != nil {
		return nil, err
	}
	return h.issuePayload(ctx, row, made.Issue.IID)
}

func (h *Handler) issuePayload(ctx context.Context, row model.ProjectRow, iid int64) (payload, error) {
	found, err := h.Store.Issues.Get(ctx, store.InProject(row, access.Reader(ctx)), iid)
	return payload{"issue": issueNode{found, row}}, err
}

// updateIssue changes the members of an issue that the input has.
func (h *Handler) updateIssue(ctx context.Context, in engine.Args) (payload, error) {
	row, err := h.findProject(ctx, in.Text("projectPath"), access.UpdateIssue)
	if err != nil {
		return nil, err
	}
	iid, err := readIID(in.Text("iid"))
	if err != nil {
		return nil, err
	}
	found, err := h.Issues.Get(ctx, row, iid)
	if err == nil {
		err = issue.CheckMayChange(ctx, row, found)
	}
	if err != nil {
		return nil, err
	}
	c := issue.Change{
		Title: in.TextPtr("title"), Confidential: in.BoolPtr("confidential"), DiscussionLocked: in.BoolPtr("locked"),
		Labels: issuable.LabelInput{Set: textsPtr(in, "labels")},
	}
	if in.Has("description") {
		c.Description = wire.Maybe(in.TextPtr("description"))
	}
	switch in.Text("stateEvent") {
	case "CLOSE":
		c.State = issue.Close
	case "REOPEN":
		c.State = issue.Reopen
	}
	if c.AssigneeIDs, err = assignees(in); err != nil {
		return nil, err
	}
	if c.IsSet() {
		if _, err := h.Issues.Apply(ctx, row, found, c); err != nil {
			return nil, err
		}
	}
	return h.issuePayload(ctx, row, iid)
}

// changeMergeRequest applies a change that depends on the merge request.
func (h *Handler) changeMergeRequest(
	ctx context.Context, in engine.Args, change func(model.MergeRequest) mergerequest.Change,
) (payload, error) {
	row, err := h.findProject(ctx, in.Text("projectPath"), access.UpdateMergeRequest)
	if err != nil {
		return nil, err
	}
	iid, err := readIID(in.Text("iid"))
	if err != nil {
		return nil, err
	}
	found, err := h.Store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err == nil {
		err = h.MergeRequests.CheckMayChange(ctx, row, found)
	}
	if err == nil {
		_, err = h.MergeRequests.Apply(ctx, row, found, change(found))
	}
	if err != nil {
		return nil, err
	}
	shown, err := h.Store.MergeRequests.GetShown(ctx, row.Project.ID, iid)
	return payload{"mergeRequest": mergeRequestNode{shown, row}}, err
}

func (h *Handler) updateMergeRequest(ctx context.Context, in engine.Args) (payload, error) {
	c := mergerequest.Change{Title: in.TextPtr("title"), TargetBranch: in.TextPtr("targetBranch")}
	if in.Has("description") {
		c.Description = wire.Maybe(in.TextPtr("description"))
	}
	switch in.Text("state") {
	case "CLOSED":
		c.State = "close"
	case "OPEN":
		c.State = "reopen"
	}
	return h.changeMergeRequest(ctx, in, func(model.MergeRequest) mergerequest.Change { return c })
}

// setDraft adds the word Draft to the title, or removes it.
func (h *Handler) setDraft(ctx context.Context, in engine.Args) (payload, error) {
	return h.changeMergeRequest(ctx, in, func(mr model.MergeRequest) mergerequest.Change {
		if mr.Draft == in.Bool("draft") {
			return mergerequest.Change{}
		}
		title := "Draft: " + mr.Title
		if mr.Draft {
			title = issuable.WithoutDraft(mr.Title)
		}
		return mergerequest.Change{Title: &title}
	})
}

// awardable returns the target of an emoji reaction.
func (h *Handler) awardable(ctx context.Context, in engine.Args) (award.Target, error) {
	text := in.Text("awardableId")
	for kind, class := range map[string]string{model.OnIssue: "Issue", model.OnMergeRequest: "MergeRequest"} {
		if !strings.HasPrefix(text, gidPrefix+class+"/") {
			continue
		}
		id, err := readGID(text, class)
		if err != nil {
			return award.Target{}, err
		}
		item, err := h.item(ctx, kind, id, access.AwardEmoji)
		if err != nil {
			return award.Target{}, err
		}
		return h.Notes.AwardTarget(ctx, item, 0)
	}
	n, err := h.findNote(ctx, text, access.AwardEmoji)
	if err != nil {
		return award.Target{}, err
	}
	return h.Notes.AwardTarget(ctx, n.item, n.row.Note.ID)
}

func (h *Handler) addAward(ctx context.Context, in engine.Args) (payload, error) {
	on, err := h.awardable(ctx, in)
	if err != nil {
		return nil, err
	}
	row, err := h.Awards.Add(ctx, on, in.Text("name"))
	return payload{"awardEmoji": row}, err
}

func (h *Handler) removeAward(ctx context.Context, in engine.Args) (payload, error) {
	on, err := h.awardable(ctx, in)
	if err != nil {
		return nil, err
	}
	given, err := h.Store.AwardEmoji.FindOf(ctx, on.Kind, on.ID, on.Caller, in.Text("name"))
	if err != nil {
		return nil, err
	}
	return nil, h.Awards.Remove(ctx, on, given, nil)
}

func (h *Handler) toggleAward(ctx context.Context, in engine.Args) (payload, error) {
	on, err := h.awardable(ctx, in)
	if err != nil {
		return nil, err
	}
	_, err = h.Store.AwardEmoji.FindOf(ctx, on.Kind, on.ID, on.Caller, in.Text("name"))
	before := err == nil
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	return payload{"toggledOn": !before}, h.Awards.Toggle(ctx, on, in.Text("name"))
}

func (h *Handler) markTodoDone(ctx context.Context, in engine.Args) (payload, error) {
	actor, err := access.Allow(ctx, access.UpdateTodo)
	if err != nil {
		return nil, err
	}
	id, err := readGID(in.Text("id"), "Todo")
	if err != nil {
		return nil, err
	}
	if err := h.Store.Todos.Done(ctx, actor.User.ID, id); err != nil {
		return nil, err
	}
	row, err := h.Store.Todos.Get(ctx, id, *access.Reader(ctx))
	return payload{"todo": row}, err
}
