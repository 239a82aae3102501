package marquee

// Int is a pointer to a number, for parameters that may be absent.
func Int(value int) *int { return &value }

// Bool is a pointer to a truth value, for parameters that may be absent.
func Bool(value bool) *bool { return &value }
