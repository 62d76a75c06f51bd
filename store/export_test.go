package store

import "svc/store/model"

// What the tests of this package look into: they are in package store_test, because storetest imports store.

// Migrations are the numbered SQL files.
var Migrations = migrations

// HandWritten is a list of columns in a query of ours, and where each goes.
type HandWritten struct {
	Columns string
	Row     any // the struct that Fields points into
	Fields  []any
	Whole   bool // every member must be there
}

// AllHandWritten are the lists that are kept by hand.
func AllHandWritten() map[string]HandWritten {
	var u model.User
	var c model.Caller
	var whole, shown model.InstanceVariable
	return map[string]HandWritten{
		"user":           {userColumns, &u, userFields(&u), true},
		"caller":         {callerColumns, &c, callerFields(&c), true},
		"variable":       {variableRow, &whole, variableRowFields(&whole), true},
		"variable shown": {variableColumns, &shown, variableFields(&shown), false},
	}
}
