package store

import (
	"reflect"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// conditionsOf returns a table with the conditions of a query that has nothing else, as text. It takes less time than to let
// GORM build the whole statement.
func conditionsOf(table string, q *gorm.DB) condition {
	c := condition{text: table}
	where, _ := q.Statement.Clauses[clause.Where{}.Name()].Expression.(clause.Where)
	for i, one := range where.Exprs {
		word := " AND ("
		if i == 0 {
			word = " WHERE ("
		}
		e, ok := one.(clause.Expr)
		if !ok {
			panic("a condition of a list is not a text") // a mistake in a filter, which tests find
		}
		c.text += word
		c.addExpression(e)
		c.text += ")"
	}
	return c
}

// addExpression adds the text and the arguments of a condition. An argument that is a list becomes a list of placeholders.
func (c *condition) addExpression(e clause.Expr) {
	rest := e.SQL
	for _, arg := range e.Vars {
		before, after, _ := strings.Cut(rest, "?")
		list := reflect.ValueOf(arg)
		switch {
		case list.Kind() != reflect.Slice || list.Type().Elem().Kind() == reflect.Uint8:
			c.text += before + "?"
			c.args = append(c.args, arg)
		case list.Len() == 0:
			c.text += before + "(NULL)" // nothing is in it
		default:
			c.text += before + "(?" + strings.Repeat(", ?", list.Len()-1) + ")"
			for i := range list.Len() {
				c.args = append(c.args, list.Index(i).Interface())
			}
		}
		rest = after
	}
	c.text += rest
}
