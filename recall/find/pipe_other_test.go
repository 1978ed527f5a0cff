//go:build !unix

package find

func (w *world) pipe(string) {}
