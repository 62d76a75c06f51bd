package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Boards holds the issue boards of projects and groups.
type Boards struct{ *base }

const (
	board     = "Board"
	boardList = "List"
)

// List returns one page of the boards of a project or group.
func (s Boards) List(ctx context.Context, in ResourceOwner, p Page) ([]model.BoardRow, Total, error) {
	rows, total, err := query.List[boardLists](in.whereOwned(s.withLists(ctx)).Order("id"), p)
	if err != nil {
		return nil, total, err
	}
	out, err := s.complete(ctx, rows)
	return out, total, err
}

// Get returns a board of a project or group.
func (s Boards) Get(ctx context.Context, in ResourceOwner, id int64) (model.BoardRow, error) {
	row, err := query.Take[boardLists](in.whereOwned(s.withLists(ctx)).Where("id = ?", id), board)
	if err != nil {
		return model.BoardRow{}, err
	}
	rows, err := s.complete(ctx, []boardLists{row})
	if err != nil {
		return model.BoardRow{}, err
	}
	return rows[0], nil
}

// listLabel is a list of a board with its label.
type listLabel struct {
	List  model.BoardList `gorm:"embedded"`
	Label model.Label     `gorm:"embedded;embeddedPrefix:of_"`
}

// TableName returns the table that GORM reads the row from.
func (listLabel) TableName() string { return "board_lists" }

// boardLists is a board, and whether it has lists.
type boardLists struct {
	Board    model.Board `gorm:"embedded"`
	HasLists bool
}

// TableName returns the table that GORM reads the row from.
func (boardLists) TableName() string { return "boards" }

func (s Boards) withLists(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Select("boards.*, EXISTS (SELECT 1 FROM board_lists x WHERE x.board_id = boards.id) AS has_lists")
}

// complete adds the lists to boards, in one statement.
func (s Boards) complete(ctx context.Context, rows []boardLists) ([]model.BoardRow, error) {
	out, ids, at := make([]model.BoardRow, len(rows)), make([]int64, 0, len(rows)), map[int64]int{}
	for i, row := range rows {
		out[i].Board, at[row.Board.ID] = row.Board, i
		if row.HasLists {
			ids = append(ids, row.Board.ID)
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	q := s.db.Read(ctx).Table("board_lists").Joins("JOIN labels ON labels.id = board_lists.label_id").Where("board_id IN ?", ids).
		Select("board_lists.*, labels.id AS of_id, labels.project_id AS of_project_id, labels.group_id AS " +
			"of_group_id, labels.name AS of_name, " +
			"labels.description AS of_description, labels.color AS of_color, labels.created_at AS of_created_at, " +
			"labels.updated_at AS of_updated_at").
		Order("board_id, position, board_lists.id")
	lists, err := query.Find[listLabel](q, 0)
	for _, l := range lists {
		i := at[l.List.BoardID]
		out[i].Lists = append(out[i].Lists, model.BoardListRow{List: l.List, Label: l.Label})
	}
	return out, query.Translate(err)
}

// Create adds a board. It returns false if the project or group has as many boards as allowed.
func (s Boards) Create(ctx context.Context, in ResourceOwner, b *model.Board, most int64) (bool, error) {
	room := false
	err := s.Exclusive(ctx, "boards", func(ctx context.Context) error {
		var n int64
		if err := in.whereOwned(s.db.Write(ctx).Model(&model.Board{})).Count(&n).Error; err != nil {
			return query.Translate(err)
		}
		if room = n < most; !room {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Create(b).Error)
	})
	return room, err
}

// Update changes columns of a board.
func (s Boards) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Board{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// Delete removes a board, unless it was changed after the given time.
func (s Boards) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Board](ctx, s.db, board, unchangedSince, "id = ?", id)
}

// AddList adds a list at the end of a board.
func (s Boards) AddList(ctx context.Context, l *model.BoardList) error {
	return s.Exclusive(ctx, "lists of board "+itoa(l.BoardID), func(ctx context.Context) error {
		next := s.db.Write(ctx).Raw("SELECT coalesce(max(position) + 1, 0) FROM board_lists WHERE board_id = ?", l.BoardID)
		if err := query.ScanFirst(next, &l.Position); err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(l).Error)
	})
}

// MoveList moves a list to a position in its board, counted from 0.
func (s Boards) MoveList(ctx context.Context, boardID, id, position int64) error {
	return s.arrange(ctx, boardID, func(ids []int64) ([]int64, error) {
		rest := make([]int64, 0, len(ids))
		for _, other := range ids {
			if other != id {
				rest = append(rest, other)
			}
		}
		if len(rest) == len(ids) {
			return nil, &NotFoundError{Resource: boardList}
		}
		at := min(max(position, 0), int64(len(rest)))
		return append(append(append([]int64{}, rest[:at]...), id), rest[at:]...), nil
	})
}

// DeleteList removes a list, unless it was created after the given time. The lists after it move up.
func (s Boards) DeleteList(ctx context.Context, boardID, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		err := query.DeleteWhere[model.BoardList](ctx, s.db, boardList, unchangedSince, "id = ? AND board_id = ?", id, boardID)
		if err != nil {
			return err
		}
		return s.arrange(ctx, boardID, func(ids []int64) ([]int64, error) { return ids, nil })
	})
}

// arrange renumbers the lists of a board in the order that the function returns. All lists of the board are rewritten;
// a board has few.
func (s Boards) arrange(ctx context.Context, boardID int64, order func(ids []int64) ([]int64, error)) error {
	return s.Exclusive(ctx, "lists of board "+itoa(boardID), func(ctx context.Context) error {
		var ids []int64
		if err := s.db.Write(ctx).Raw("SELECT id FROM board_lists WHERE board_id = ? ORDER BY position, id", boardID).
			Scan(&ids).Error; err != nil {
			return query.Translate(err)
		}
		ids, err := order(ids)
		if err != nil || len(ids) == 0 {
			return err
		}
		text, args := "UPDATE board_lists SET position = CASE id", []any{}
		for i, id := range ids {
			text += " WHEN ? THEN CAST(? AS bigint)"
			args = append(args, id, i)
		}
		return query.Translate(s.db.Write(ctx).Exec(text+" ELSE position END WHERE board_id = ?", append(args, boardID)...).Error)
	})
}
