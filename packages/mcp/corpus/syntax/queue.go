// Package queue keeps jobs. The name Push in this comment is no code.
package queue

import (
	"context"
	"fmt"
	stdlog "log"

	"example.com/shop/internal/clock"
)

// Kind says how urgent a job is.
type Kind int

const (
	Low Kind = iota
	High
)

const limit, Version = 8, "Push 1"

var ErrFull, errEmpty = fmt.Errorf("Push: full"), fmt.Errorf("empty")

type ID = string

type Job struct {
	ID
	*clock.Timer
	Name, owner string `json:"Push"`
	Kind        Kind
	done        func(err error)
}

type Store interface {
	fmt.Stringer
	Push(ctx context.Context, jobs ...Job) (count int, err error)
	Pop() (*Job, bool)
}

type Ring[T any] struct {
	items []T
	head  int
}

func (r *Ring[T]) Push(item T) error {
	if size := len(r.items); size >= limit {
		return ErrFull
	}
	r.items = append(r.items, item)
	return nil
}

func (r Ring[T]) each(visit func(at int, item T)) {
	for at, item := range r.items {
		visit(at, item)
	}
}

func New(kind Kind) *Ring[Job] {
	ring := &Ring[Job]{items: nil}
	stdlog.Printf("Push %v", kind)
	go func(late Job) { _ = ring.Push(late) }(Job{Kind: kind})
	switch v := any(ring).(type) {
	case Store:
		v.Pop()
	}
	return ring
}
