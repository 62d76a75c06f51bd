package git

import "svc/store/cache"

// objectCache holds what follows from ids alone, so it is never stale. Keys include the repository, because an object in one
// repository need not exist in another.
type objectCache struct {
	kinds   cache.Cache[string]
	trees   cache.Cache[[]Entry]
	commits cache.Cache[Commit]
	logs    cache.Cache[[]string] // a part of a log
	bases   cache.Cache[string]
	steps   cache.Cache[string] // the commit that a revision like id~2 leads to
	stats   cache.Cache[Stats]
	merged  cache.Cache[bool]
	tags    cache.Cache[Tag]    // without their names
	last    cache.Cache[string] // the last commit of a path
	entries cache.Cache[string] // the commit that made an entry of a folder what it is in another commit
	digests cache.Cache[string] // SHA-256 of a blob
	authors cache.Cache[[]Author]
	counted cache.Cache[string] // by repository: the last commit whose authors were counted
	behind  cache.Cache[string] // a commit that has this object in its history
	patches cache.Cache[string] // patch ids, by two commits
	reached cache.Cache[bool]   // whether refs lead to an object, by the ids of all refs
	files   cache.Cache[fileIDs]
	blobs   cache.Cache[[]byte]     // the content of small blobs
	sound   cache.Cache[state]      // by repository: the state of HEAD when it was last read
	packed  cache.Cache[packedRefs] // by repository: the packed refs as they were last read
	graphs  cache.Cache[*layer]     // layers of commit graphs, by their names
	holding cache.Cache[[]bool]     // which refs lead to a commit, by the state of these refs
}

const (
	treeBytes   = 16 << 20
	commitBytes = 16 << 20
	tagBytes    = 8 << 20
	logBytes    = 8 << 20
	lastBytes   = 4 << 20
	authorBytes = 16 << 20
	fileBytes   = 16 << 20
	blobBytes   = 24 << 20
	packedBytes = 16 << 20
	graphBytes  = 64 << 20
	holdBytes   = 8 << 20
	entryCost   = 120 // approximate bytes of a tree entry
)

func newObjectCache() *objectCache {
	return &objectCache{
		kinds:   cache.WithMaxEntries[string](20000),
		bases:   cache.WithMaxEntries[string](10000),
		steps:   cache.WithMaxEntries[string](10000),
		stats:   cache.WithMaxEntries[Stats](20000),
		merged:  cache.WithMaxEntries[bool](20000),
		counted: cache.WithMaxEntries[string](10000),
		behind:  cache.WithMaxEntries[string](20000),
		reached: cache.WithMaxEntries[bool](20000),
		patches: cache.WithMaxEntries[string](20000),
		files:   cache.WithMaxBytes(fileBytes, func(_ string, ids fileIDs) int { return len(ids)*20 + entryCost }),
		blobs:   cache.WithMaxBytes(blobBytes, func(_ string, data []byte) int { return len(data) + entryCost }),
		authors: cache.WithMaxBytes(authorBytes, func(_ string, a []Author) int { return len(a)*entryCost + entryCost }),
		logs:    cache.WithMaxBytes(logBytes, func(_ string, ids []string) int { return len(ids)*2*len(Zero) + entryCost }),
		tags:    cache.WithMaxBytes(tagBytes, func(_ string, t Tag) int { return len(t.Message) + 2*entryCost }),
		last:    cache.WithMaxBytes(lastBytes, func(key, _ string) int { return len(key) + entryCost }),
		entries: cache.WithMaxBytes(lastBytes, func(key, _ string) int { return len(key) + entryCost }),
		digests: cache.WithMaxEntries[string](10000),
		sound:   cache.WithMaxEntries[state](20000),
		packed:  cache.WithMaxBytes(packedBytes, func(_ string, p packedRefs) int { return p.bytes() }),
		graphs:  cache.WithMaxBytes(graphBytes, func(_ string, l *layer) int { return l.bytes() }),
		holding: cache.WithMaxBytes(holdBytes, func(_ string, held []bool) int { return len(held) + 2*entryCost }),
		trees:   cache.WithMaxBytes(treeBytes, func(_ string, e []Entry) int { return len(e)*entryCost + entryCost }),
		commits: cache.WithMaxBytes(commitBytes, func(_ string, c Commit) int { return len(c.Message) + 4*entryCost }),
	}
}

func (c *objectCache) kind(dir, id string) (string, bool) { return c.kinds.Get(dir + id) }

func (c *objectCache) setKind(dir, id, kind string) { c.kinds.Set(dir+id, kind) }
