package query

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"svc/store/model"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// Common values are encoded and decoded here, directly in PostgreSQL's formats. pgx would choose an encoding again for
// every statement. All other values go through pgx.

const (
	pgEpoch  = 946684800 // 2000-01-01 in Unix seconds, the epoch of PostgreSQL
	pgSecond = 1e6       // PostgreSQL counts microseconds
)

// encode encodes the arguments of a statement into the buffers of the connection.
func (n *nativeStatements) encode(s *nativeStatement, args []any) error {
	if len(args) != len(s.ParamOIDs) {
		return fmt.Errorf("the statement takes %d values, not %d", len(s.ParamOIDs), len(args))
	}
	if n.buffer == nil || cap(n.buffer) > nativeRoom {
		n.buffer = make([]byte, 0, 256) // not nil: an empty text in it would be null
	}
	n.values, n.formats, n.buffer = n.values[:0], n.formats[:0], n.buffer[:0]
	for i, arg := range args {
		start := len(n.buffer)
		format, null, ok := n.append(s.ParamOIDs[i], arg)
		if !ok {
			n.buffer = n.buffer[:start]
			var err error
			if format, null, err = n.appendAny(s.ParamOIDs[i], arg); err != nil {
				return fmt.Errorf("value %d: %w", i+1, err)
			}
		}
		var value []byte
		if !null {
			value = n.buffer[start:len(n.buffer):len(n.buffer)]
		}
		n.values, n.formats = append(n.values, value), append(n.formats, format)
	}
	return nil
}

// append encodes a value of a common type. Otherwise ok is false.
func (n *nativeStatements) append(oid uint32, arg any) (format int16, null, ok bool) {
	switch v := arg.(type) {
	case string: // as text it fits any type
		n.buffer = append(n.buffer, v...)
		return pgtype.TextFormatCode, false, true
	case *string:
		if v == nil {
			return pgtype.TextFormatCode, true, true
		}
		return n.append(oid, *v)
	case []byte:
		n.buffer = append(n.buffer, v...)
		return pgtype.BinaryFormatCode, v == nil, oid == pgtype.ByteaOID
	case bool:
		bit := byte(0)
		if v {
			bit = 1
		}
		n.buffer = append(n.buffer, bit)
		return pgtype.BinaryFormatCode, false, oid == pgtype.BoolOID
	case int:
		return n.append(oid, int64(v))
	case int64:
		n.buffer = binary.BigEndian.AppendUint64(n.buffer, uint64(v))
		return pgtype.BinaryFormatCode, false, oid == pgtype.Int8OID
	case []int64:
		return pgtype.BinaryFormatCode, v == nil, n.appendIDs(oid, v)
	case time.Time:
		if oid == pgtype.DateOID {
			year, month, day := v.Date()
			days := (time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() - pgEpoch) / 86400
			n.buffer = binary.BigEndian.AppendUint32(n.buffer, uint32(int32(days)))
			return pgtype.BinaryFormatCode, false, true
		}
		micros := (v.Unix()-pgEpoch)*pgSecond + int64(v.Nanosecond())/1000
		n.buffer = binary.BigEndian.AppendUint64(n.buffer, uint64(micros))
		return pgtype.BinaryFormatCode, false, oid == pgtype.TimestamptzOID
	}
	return 0, false, false
}

// appendIDs encodes an array of ids with one dimension, no nulls, and the lower bound 1.
func (n *nativeStatements) appendIDs(oid uint32, ids []int64) bool {
	if oid != pgtype.Int8ArrayOID || len(ids) == 0 {
		return false
	}
	const dimensions, nulls, lowerBound, size = 1, 0, 1, 8
	for _, head := range []uint32{dimensions, nulls, pgtype.Int8OID, uint32(len(ids)), lowerBound} {
		n.buffer = binary.BigEndian.AppendUint32(n.buffer, head)
	}
	for _, id := range ids {
		n.buffer = binary.BigEndian.AppendUint32(n.buffer, size)
		n.buffer = binary.BigEndian.AppendUint64(n.buffer, uint64(id))
	}
	return true
}

func (n *nativeStatements) appendAny(oid uint32, arg any) (format int16, null bool, err error) {
	format = n.types.FormatCodeForOID(oid)
	value, err := n.types.Encode(oid, format, arg, nil)
	if err != nil { // some types have only the other format
		format = pgtype.TextFormatCode + pgtype.BinaryFormatCode - format
		var failed error
		if value, failed = n.types.Encode(oid, format, arg, nil); failed != nil {
			return 0, false, err
		}
	}
	n.buffer = append(n.buffer, value...)
	return format, value == nil, nil
}

// nativeRow is a row in the wire format of PostgreSQL.
type nativeRow struct {
	types   *pgtype.Map
	fields  []pgconn.FieldDescription
	names   []string
	formats []int16
	values  [][]byte
}

// Scan reads the columns of the row.
func (r *nativeRow) Scan(dest ...any) error {
	if len(dest) != len(r.values) {
		return fmt.Errorf("the row has %d columns, not %d", len(r.values), len(dest))
	}
	for i, d := range dest {
		if c, ok := d.(*cell); ok {
			if err := r.setCell(i, c); err != nil {
				return fmt.Errorf("column %s: %w", r.names[i], err)
			}
			continue
		}
		if r.formats[i] == pgtype.BinaryFormatCode && decode(r.fields[i].DataTypeOID, r.values[i], d) {
			continue
		}
		if err := r.types.Scan(r.fields[i].DataTypeOID, r.formats[i], r.values[i], d); err != nil {
			return fmt.Errorf("column %s: %w", r.fields[i].Name, err)
		}
	}
	return nil
}

// decode decodes a value of a common type. Otherwise it returns false.
func decode(oid uint32, raw []byte, dest any) bool {
	switch d := dest.(type) {
	case **string:
		return decodePointer(oid, raw, d, decodeString)
	case **time.Time:
		return decodePointer(oid, raw, d, decodeTime)
	case **int64:
		return decodePointer(oid, raw, d, decodeInt)
	case **bool:
		return decodePointer(oid, raw, d, decodeBool)
	case **model.UserState:
		return decodePointer(oid, raw, d,
			func(oid uint32, raw []byte, s *model.UserState) bool { return decodeString(oid, raw, (*string)(s)) })
	}
	if raw == nil {
		return false
	}
	switch d := dest.(type) {
	case *string:
		return decodeString(oid, raw, d)
	case *model.UserState:
		return decodeString(oid, raw, (*string)(d))
	case *model.FeatureAccess:
		return decodeString(oid, raw, (*string)(d))
	case *time.Time:
		return decodeTime(oid, raw, d)
	case *int64:
		return decodeInt(oid, raw, d)
	case *model.Access:
		return decodeInt(oid, raw, (*int64)(d))
	case *model.Visibility:
		return decodeInt(oid, raw, (*int64)(d))
	case *model.HookEvents:
		return decodeInt(oid, raw, (*int64)(d))
	case *int:
		var n int64
		ok := decodeInt(oid, raw, &n) && int64(int(n)) == n
		*d = int(n)
		return ok
	case *bool:
		return decodeBool(oid, raw, d)
	case *[]byte:
		*d = append([]byte(nil), raw...)
		return oid == pgtype.ByteaOID && len(raw) > 0
	}
	return false
}

func decodePointer[T any](oid uint32, raw []byte, dest **T, read func(uint32, []byte, *T) bool) bool {
	if raw == nil {
		*dest = nil
		return true
	}
	*dest = new(T)
	return read(oid, raw, *dest)
}

func decodeString(oid uint32, raw []byte, dest *string) bool {
	*dest = string(raw)
	return oid == pgtype.TextOID || oid == pgtype.VarcharOID
}

func decodeBool(oid uint32, raw []byte, dest *bool) bool {
	*dest = len(raw) == 1 && raw[0] == 1
	return oid == pgtype.BoolOID && len(raw) == 1
}

func decodeInt(oid uint32, raw []byte, dest *int64) bool {
	switch {
	case oid == pgtype.Int8OID && len(raw) == 8:
		*dest = int64(binary.BigEndian.Uint64(raw))
	case oid == pgtype.Int4OID && len(raw) == 4:
		*dest = int64(int32(binary.BigEndian.Uint32(raw)))
	default:
		return false
	}
	return true
}

// decodeTime decodes a time as pgx does: a timestamp in the local zone, a date in UTC. It leaves infinite values to
// pgx.
func decodeTime(oid uint32, raw []byte, dest *time.Time) bool {
	switch {
	case oid == pgtype.TimestamptzOID && len(raw) == 8:
		micros := int64(binary.BigEndian.Uint64(raw))
		if micros == math.MaxInt64 || micros == math.MinInt64 {
			return false
		}
		*dest = time.Unix(pgEpoch+micros/pgSecond, micros%pgSecond*1000)
	case oid == pgtype.DateOID && len(raw) == 4:
		days := int32(binary.BigEndian.Uint32(raw))
		if days == math.MaxInt32 || days == math.MinInt32 {
			return false
		}
		*dest = time.Unix(pgEpoch+int64(days)*86400, 0).UTC()
	default:
		return false
	}
	return true
}
