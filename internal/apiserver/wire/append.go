package wire

import (
	"encoding/json"
	"strconv"
	"time"
)

// A page of memories is what is asked for most, and encoding/json takes longer for it
// than the database: it looks at each value by reflection, and goes over what a
// MarshalJSON returned once more.

// AppendJSON appends a page as encoding/json would write it. ok is false for pages of
// other things than memories.
func (p Page[T]) AppendJSON(b []byte) (out []byte, ok bool) {
	data, ok := any(p.Data).([]Listed)
	if !ok {
		return b, false
	}
	b = append(b, `{"data":[`...)
	for i := range data {
		if i > 0 {
			b = append(b, ',')
		}
		if data[i].Prefix != nil {
			b = append(b, `{"type":`...)
			b = appendString(b, data[i].Prefix.Type)
			b = append(b, `,"path":`...)
			b = append(appendString(b, data[i].Prefix.Path), '}')
			continue
		}
		b = data[i].Memory.AppendJSON(b)
	}
	b = append(b, `],"next_page":`...)
	return append(appendNullable(b, p.Next), '}'), true
}

// AppendJSON appends a memory as encoding/json would write it.
func (m *Memory) AppendJSON(b []byte) []byte {
	b = append(b, `{"type":`...)
	b = appendString(b, m.Type)
	b = append(b, `,"id":`...)
	b = appendString(b, m.ID)
	b = append(b, `,"memory_store_id":`...)
	b = appendString(b, m.Store)
	b = append(b, `,"path":`...)
	b = appendString(b, m.Path)
	b = append(b, `,"content":`...)
	b = appendNullable(b, m.Content)
	b = append(b, `,"content_size_bytes":`...)
	b = strconv.AppendInt(b, int64(m.Size), 10)
	b = append(b, `,"content_sha256":`...)
	b = appendString(b, m.SHA256)
	b = append(b, `,"memory_version_id":`...)
	b = appendString(b, m.Version)
	b = append(b, `,"created_at":`...)
	b = m.CreatedAt.appendJSON(b)
	b = append(b, `,"updated_at":`...)
	b = m.UpdatedAt.appendJSON(b)
	return append(b, '}')
}

func appendNullable(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendString(b, *s)
}

// appendString appends a text: as it is where it has nothing that JSON or HTML would
// read, as encoding/json does otherwise.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // a text can always be written
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// appendJSON appends a time with as many decimals as it has.
func (t Time) appendJSON(b []byte) []byte {
	return t.UTC().AppendFormat(append(b, '"'), time.RFC3339Nano+`"`)
}
