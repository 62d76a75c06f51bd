// Package settings implements the API operations with which administrators change the settings of the instance, its
// appearance and the limits of its plan.
package settings

import "svc/server/domain/setting"

// Settings implements the operations on the settings of the instance.
type Settings struct{ settings *setting.Service }

// New returns the operations.
func New(service *setting.Service) *Settings { return &Settings{settings: service} }
