package model

// The notification levels.
const (
	LevelDisabled      = "disabled"
	LevelParticipating = "participating"
	LevelWatch         = "watch"
	LevelGlobal        = "global" // the level of the parent applies
	LevelMention       = "mention"
	LevelCustom        = "custom"
)
