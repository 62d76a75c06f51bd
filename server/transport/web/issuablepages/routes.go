package issuablepages

import (
	"svc/server/platform/access"
	"svc/server/transport/web/page"
)

// Register adds the addresses that both kinds of items have: comments, threads, subscriptions, to-dos and times.
func (p *Parts) Register(r *page.Router, k Kind) {
	item := k.Path + "/:iid"
	r.Project("POST", item+"/notes", access.CreateNote, p.create(k)).MaxForm(maxComment)
	r.Project("GET", item+"/notes/:note", access.ReadNote, p.raw(k))
	r.Project("GET", item+"/notes/:note/edit", access.AdminNote, p.edit(k))
	r.Project("POST", item+"/notes/:note", access.AdminNote, p.update(k)).MaxForm(maxComment)
	r.Project("POST", item+"/notes/:note/delete", access.AdminNote, p.remove(k))
	r.Project("GET", item+"/discussions/:thread", access.ReadNote, p.showThread(k))
	r.Project("POST", item+"/discussions/:thread/notes", access.CreateNote, p.reply(k)).MaxForm(maxComment)
	r.Project("POST", item+"/discussions/:thread/resolve", access.ResolveNote, p.resolve(k))
	r.Project("POST", item+"/subscription", k.Follow, p.subscribe(k))
	r.Project("POST", item+"/todo", k.Follow, p.addTodo(k))
	r.Project("POST", item+"/time", k.Track, p.track(k))
}
