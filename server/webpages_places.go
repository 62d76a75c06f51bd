package server

import (
	"svc/server/domain/deploykey"
	"svc/server/domain/deploytoken"
	"svc/server/domain/group"
	"svc/server/domain/key"
	"svc/server/domain/member"
	"svc/server/domain/notification"
	"svc/server/domain/project"
	"svc/server/domain/repository/branch"
	"svc/server/domain/repository/protection"
	"svc/server/domain/repository/tag"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/transport/web/createpages"
	"svc/server/transport/web/editpages"
	"svc/server/transport/web/explorepages"
	"svc/server/transport/web/grouppages"
	"svc/server/transport/web/memberpages"
	"svc/server/transport/web/page"
	"svc/server/transport/web/settingspages"
	"svc/server/transport/web/userpages"
)

// newPlacePages returns the pages about groups and people, about making things, and about the settings of projects and
// groups.
func newPlacePages(d dependencies) []page.Package {
	groups := group.NewService(d.store, d.access, d.groupExports, d.hookAnnouncer)
	projects := project.NewService(d.store, d.access, d.repositories, d.writer, d.recorder, d.hookAnnouncer)
	return []page.Package{
		explorepages.New(d.store, d.searcher),
		userpages.New(userpages.Dependencies{
			Store: d.store, Keys: key.New(d.store, d.hookAnnouncer), Notifications: notification.New(d.store, d.cfg.Tier == "ultimate"),
		}),
		grouppages.New(grouppages.Dependencies{
			Store: d.store, Access: d.access, Groups: groups, Exports: d.groupExports, Limit: perCaller(d.limiter, d.namedLimit("import")),
		}),
		memberpages.New(memberpages.Dependencies{
			Store: d.store, Access: d.access, Members: member.New(d.store, d.hookAnnouncer), Projects: projects, Groups: groups,
		}),
		createpages.New(createpages.Dependencies{
			Store: d.store, Projects: projects, Remotes: d.remotes, Exports: d.projectExports,
			Limit: perCaller(d.limiter, d.namedLimit("import")),
		}),
		editpages.New(editpages.Dependencies{
			Access: d.access, Pusher: d.pusher, Writer: d.writer, Branches: branch.New(d.access, d.pusher, d.writer),
			Tags: tag.New(d.store, d.pusher),
		}),
		settingspages.New(settingspages.Dependencies{
			Store: d.store, Access: d.access, Projects: projects, Groups: groups, Protections: protection.New(d.store),
			DeployKeys: deploykey.New(d.store, d.hookAnnouncer), DeployTokens: deploytoken.New(d.store),
			Tokens:  token.New(d.store, access.Lifetime(d.cfg.MaxTokenLifetime), d.host),
			Remotes: d.remotes, Exports: d.projectExports, GroupExports: d.groupExports,
			LimitExport: perCaller(d.limiter, d.namedLimit("export")),
		}),
	}
}
