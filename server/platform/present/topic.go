package present

import (
	"svc/gen"
	"svc/store/model"
)

// organization is the ID of the only organization.
const organization = 1

// Topic presents a topic.
func (p Presenter) Topic(r model.TopicRow) gen.Topic {
	t := r.Topic
	return gen.Topic{
		ID: t.ID, Name: t.Name, Title: t.Title, Description: t.Description, TotalProjectsCount: r.Projects,
		OrganizationID: organization, AvatarURL: p.AvatarURL(model.AvatarTopic, t.ID, t.Avatar),
	}
}
