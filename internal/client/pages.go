package client

import (
	"context"
	"strings"
)

// pageSize is how many entries of a list are asked for at a time.
const pageSize = "limit=200"

// All reads every page of the list at a path below /v1.
func All[T any](ctx context.Context, c *Client, path string) ([]T, error) {
	join := "?"
	if strings.Contains(path, "?") {
		join = "&"
	}
	path += join + pageSize
	all := []T{}
	for at := path; ; {
		var page struct {
			Data []T     `json:"data"`
			Next *string `json:"next_cursor"`
		}
		if err := c.Get(ctx, at, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if page.Next == nil || *page.Next == "" {
			return all, nil
		}
		at = path + "&cursor=" + *page.Next
	}
}
