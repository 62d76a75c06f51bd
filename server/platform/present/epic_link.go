package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// EpicLink presents a link from one epic to another. kind is what the first one is to the other.
func (p Presenter) EpicLink(from string, l model.EpicLink, kind string, source, target model.EpicRow) gen.RelatedEpicLink {
	show := p.Epic(from, false)
	return gen.RelatedEpicLink{
		ID: l.ID, SourceEpic: show(source), TargetEpic: show(target), LinkType: gen.LinkType(kind),
		CreatedAt: wire.NewTime(l.CreatedAt), UpdatedAt: wire.NewTime(l.UpdatedAt),
	}
}

// LinkedEpic presents an epic that is linked to another one.
func (p Presenter) LinkedEpic(from string) func(model.LinkedEpic) gen.RelatedEpic {
	show := p.Epic(from, false)
	return func(l model.LinkedEpic) gen.RelatedEpic {
		e := show(l.EpicRow)
		return gen.RelatedEpic{
			ID: e.ID, Iid: e.Iid, GroupID: e.GroupID, ParentID: e.ParentID, ParentIid: e.ParentIid, Title: e.Title,
			Description: e.Description, State: e.State, Confidential: e.Confidential, WebURL: e.WebURL, WebEditURL: e.WebEditURL,
			Reference: e.Reference, References: e.References, Author: e.Author, StartDate: e.StartDate,
			StartDateIsFixed: e.StartDateIsFixed, StartDateFixed: e.StartDateFixed,
			StartDateFromInheritedSource: e.StartDateFromInheritedSource, StartDateFromMilestones: e.StartDateFromMilestones,
			EndDate: e.EndDate, DueDate: e.DueDate, DueDateIsFixed: e.DueDateIsFixed, DueDateFixed: e.DueDateFixed,
			DueDateFromInheritedSource: e.DueDateFromInheritedSource, DueDateFromMilestones: e.DueDateFromMilestones,
			CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt, ClosedAt: e.ClosedAt, Labels: e.Labels, Upvotes: e.Upvotes,
			Downvotes: e.Downvotes, UserNotesCount: e.UserNotesCount, Color: e.Color, TextColor: e.TextColor,
			UnderscoreLinks: e.UnderscoreLinks, RelatedEpicLinkID: l.Link.ID, LinkType: gen.LinkType(l.Kind),
			LinkCreatedAt: wire.NewTime(l.Link.CreatedAt), LinkUpdatedAt: wire.NewTime(l.Link.UpdatedAt),
		}
	}
}
