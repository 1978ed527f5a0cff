//go:build unix && !linux && !darwin

package folder

import "errors"

func exchangeAt(int, string, string) error  { return errors.ErrUnsupported }
func renameNewAt(int, string, string) error { return errors.ErrUnsupported }
