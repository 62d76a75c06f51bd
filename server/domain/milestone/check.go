package milestone

import (
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// check refuses a milestone without a title or with wrong dates.
func check(m model.Milestone) error { return errors.Join(checkTitle(m.Title), checkDates(m)) }

func checkTitle(title string) error {
	if title == "" {
		return apierr.Invalid("title", "can't be blank")
	}
	return nil
}

// checkDates refuses years outside 1 to 9999, and a due date before the start date.
func checkDates(m model.Milestone) error {
	for name, at := range map[string]*time.Time{"start_date": m.StartDate, "due_date": m.DueDate} {
		if at != nil && (at.Year() < 1 || at.Year() > 9999) {
			return apierr.Invalid(name, "is not a valid date")
		}
	}
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Before(*m.StartDate) {
		return apierr.Invalid("due_date", "must be greater than start date")
	}
	return nil
}
