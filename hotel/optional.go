package hotel

// Optional is a member of a partial value: absent (keep what is there), null
// (back to the default) or a value.
type Optional[V any] struct {
	Set   bool
	Null  bool
	Value V
}

// Given makes an Optional that carries a value.
func Given[V any](v V) Optional[V] { return Optional[V]{Set: true, Value: v} }

// Or lays the member over what is there; null stands for the given default.
func (o Optional[V]) Or(old, standard V) V {
	switch {
	case !o.Set:
		return old
	case o.Null:
		return standard
	}
	return o.Value
}

// Over lays the member over what is there, where the default is to say nothing.
func (o Optional[V]) Over(old *V) *V {
	switch {
	case !o.Set:
		return old
	case o.Null:
		return nil
	}
	return &o.Value
}
