package payload

import "svc/store/model"

// MilestoneInput is what the body of a milestone is made of.
type MilestoneInput struct {
	Project   *model.Project   // of a project milestone
	Group     *model.Namespace // of a group milestone
	Milestone model.Milestone
	Action    string // create, close, reopen or delete
}

// Milestone is the body of a milestone.
type Milestone struct {
	ObjectKind       string              `json:"object_kind"`
	EventType        string              `json:"event_type"`
	Project          *Project            `json:"project,omitempty"`
	Group            *Group              `json:"group,omitempty"`
	ObjectAttributes MilestoneAttributes `json:"object_attributes"`
	Action           string              `json:"action"`
}

// MilestoneAttributes are the attributes of a milestone.
type MilestoneAttributes struct {
	ID          int64   `json:"id"`
	IID         int64   `json:"iid"`
	Title       string  `json:"title"`
	Description *string `json:"description"`
	State       string  `json:"state"`
	CreatedAt   string  `json:"created_at"`
	UpdatedAt   string  `json:"updated_at"`
	DueDate     *string `json:"due_date"`
	StartDate   *string `json:"start_date"`
	GroupID     *int64  `json:"group_id"`
	ProjectID   *int64  `json:"project_id"`
}

// Milestone builds the body of a milestone.
func (i Instance) Milestone(in MilestoneInput) Milestone {
	m := in.Milestone
	return Milestone{
		ObjectKind: "milestone", EventType: "milestone", Project: i.projectOrNull(in.Project), Group: groupOrNull(in.Group),
		ObjectAttributes: MilestoneAttributes{
			ID: m.ID, IID: m.IID, Title: m.Title, Description: m.Description, State: m.State, CreatedAt: stamp(m.CreatedAt),
			UpdatedAt: stamp(m.UpdatedAt), DueDate: written(m.DueDate, day), StartDate: written(m.StartDate, day),
			GroupID: m.GroupID, ProjectID: m.ProjectID,
		},
		Action: in.Action,
	}
}
