package integration

import (
	"net/url"
	"strings"
	"time"

	"svc/store/git"
)

// mostCommits is how many commits a message lists.
const mostCommits = 10

// page returns the URL of a page of the project.
func (e Event) page(kind, name string) string {
	return e.body.Project.URL + "/-/" + kind + "/" + (&url.URL{Path: name}).EscapedPath()
}

func (e Event) push(m *Message) {
	b := e.body
	name := strings.TrimPrefix(b.Ref, branchPrefix)
	shown := to(cut(name, maxName), e.page("tree", name))
	switch {
	case b.After == git.Zero:
		m.line = say(m.actor, " deleted branch "+shown.text+" of ", e.project())
		return
	case b.Before == git.Zero:
		m.line = say(m.actor, " created branch ", shown, " of ", e.project())
	default:
		m.line = say(m.actor, " pushed ", to(count(b.Total, "commit"), e.comparison()), " to branch ", shown, " of ", e.project())
	}
	for i := len(b.Commits) - 1; i >= 0 && len(m.details) < mostCommits; i-- {
		c := b.Commits[i]
		m.details = append(m.details, say(to(short(c.ID), c.URL), ": "+cut(c.Title, maxTitle)+" – "+cut(c.Author.Name, maxName)))
	}
	if more := b.Total - int64(len(m.details)); more > 0 && len(m.details) > 0 {
		m.details = append(m.details, say("and ", count(more, "other commit")))
	}
}

// comparison returns the URL of the comparison of the commits before and after a push.
func (e Event) comparison() string { return e.page("compare", e.body.Before+"..."+e.body.After) }

// count returns a number of things.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return number(n) + " " + thing
}

func (e Event) tag(m *Message) {
	name := strings.TrimPrefix(e.body.Ref, tagPrefix)
	shown, did := to(cut(name, maxName), e.page("tags", name)), " pushed tag "
	if e.body.After == git.Zero {
		shown.url, did = "", " deleted tag "
	}
	m.line = say(m.actor, did, shown, " of ", e.project())
}

func (e Event) pipeline(m *Message) {
	a := e.body.Attributes
	kind, list, result := " of branch ", "commits", " passed"
	if a.Tag {
		kind, list = " of tag ", "tags"
	}
	if m.mood = good; a.Status == "failed" {
		m.mood, result = bad, " failed"
	}
	if a.Duration != nil {
		result += " after " + (time.Duration(*a.Duration) * time.Second).String()
	}
	m.line = say(
		"Pipeline ", to("#"+number(a.ID), a.URL), kind, to(cut(a.Ref, maxName), e.page(list, a.Ref)), " of ", e.project(),
		" by "+m.actor+result,
	)
	for _, job := range e.body.Builds {
		if job.Status == "failed" && !job.AllowFailure && len(m.details) < mostCommits {
			m.details = append(m.details, say("Job ", to(cut(job.Name, maxName), e.page("jobs", number(job.ID))), " failed"))
		}
	}
	if c := e.body.Commit; c != nil {
		m.details = append(m.details, say("Commit ", to(short(c.ID), c.URL), ": "+cut(c.Title, maxTitle)))
	}
}

// deployed has what happens to a deployment, by its status.
var deployed = map[string]struct {
	text string
	mood mood
}{
	"running": {" is running", neutral}, "success": {" succeeded", good}, "failed": {" failed", bad},
	"canceled": {" was canceled", neutral}, "blocked": {" waits for approval", neutral},
}

func (e Event) deployment(m *Message) {
	b := e.body
	environment, _ := b.Environment.(string)
	happened, known := deployed[b.Status]
	if !known {
		return
	}
	m.mood = happened.mood
	m.line = say("The deployment of ", e.project(), " to "+cut(environment, maxName)+" by "+m.actor+happened.text)
	if b.DeployableID != nil && b.DeployableURL != nil {
		m.details = append(m.details, say("Job ", to("#"+number(*b.DeployableID), *b.DeployableURL)))
	}
	if b.CommitURL != nil && b.CommitTitle != nil {
		m.details = append(m.details, say("Commit ", to(b.ShortSHA, *b.CommitURL), ": "+cut(*b.CommitTitle, maxTitle)))
	}
}
