package auth

import "sync"

// counts counts by key until it is stored.
type counts[K comparable] struct {
	mu sync.Mutex
	n  map[K]int
}

func (c *counts[K]) add(k K, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[K]int{}
	}
	c.n[k] += n
}

// take returns what was counted since the last call.
func (c *counts[K]) take() map[K]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.n
	c.n = nil
	return taken
}

// putBack counts again what could not be stored.
func (c *counts[K]) putBack(taken map[K]int) {
	for k, n := range taken {
		c.add(k, n)
	}
}
