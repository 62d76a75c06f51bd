package grouppages

import (
	"testing"

	"svc/server/transport/web/page"
	"svc/store/model"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}

func TestATreeHasEveryGroupAndProjectOnce(t *testing.T) {
	t.Parallel()
	one, two, unseen := int64(1), int64(2), int64(9)
	groups := []model.Namespace{{ID: 3, ParentID: &two}, {ID: 2, ParentID: &one}, {ID: 4, ParentID: &unseen}}
	projects := []model.ProjectRow{
		{Project: model.Project{ID: 10, NamespaceID: 3}},
		{Project: model.Project{ID: 11, NamespaceID: 1}},
		{Project: model.Project{ID: 12, NamespaceID: 9}},
	}
	tree := newTree(model.Namespace{ID: 1}, groups, projects, false)
	if len(tree.Groups) != 2 || tree.Groups[0].Group.ID != 2 || tree.Groups[1].Group.ID != 4 || len(tree.Projects) != 2 {
		t.Errorf("%+v", tree)
	}
	if below := tree.Groups[0].Groups; len(below) != 1 || len(below[0].Projects) != 1 || !tree.Groups[1].Empty() {
		t.Errorf("%+v", below)
	}
	if pruned := newTree(model.Namespace{ID: 1}, groups, projects, true); len(pruned.Groups) != 1 || pruned.Groups[0].Group.ID != 2 {
		t.Errorf("%+v", pruned)
	}
}
