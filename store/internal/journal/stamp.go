package journal

import "path/filepath"

// File is the path of the log; it may not exist.
func (j *Journal) File() string { return filepath.Join(j.dir, logName) }
