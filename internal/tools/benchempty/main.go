// Command benchempty does nothing: what any Go process costs.
package main

func main() {}
