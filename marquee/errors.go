package marquee

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ConnectionError says that no whole answer came: the connection failed or broke, or time ran out. The call was tried
// as often as the client's retries and its timeout allow.
type ConnectionError struct {
	// URL is what was asked for.
	URL string
	// TimedOut says that the client's timeout ended the call.
	TimedOut bool
	// Cause is what the network said.
	Cause error
}

// Error tells what could not be reached, and why.
func (e *ConnectionError) Error() string {
	if e.TimedOut {
		return fmt.Sprintf("marquee: %s did not answer in time: %v", e.URL, e.Cause)
	}
	return fmt.Sprintf("marquee: could not reach %s: %v", e.URL, e.Cause)
}

// Unwrap returns the cause, unless that is a context that ended or a deadline that passed: it is one of the client's or
// the network's own, and errors.Is is to find those of the caller's context only.
func (e *ConnectionError) Unwrap() error {
	if errors.Is(e.Cause, context.DeadlineExceeded) || errors.Is(e.Cause, context.Canceled) {
		return nil
	}
	return e.Cause
}

// Timeout reports whether time ran out, as net.Error does.
func (e *ConnectionError) Timeout() bool { return e.TimedOut }

// ServiceError says that the service was reached and said no.
type ServiceError struct {
	// URL is what was asked for.
	URL string
	// Status is the HTTP status.
	Status int
	// Code is for programs: one of the codes of the service's documentation, such as "not_found".
	Code string
	// Message is for people.
	Message string
	// Parameter names the parameter at fault, where there is one.
	Parameter string
	// RequestID finds the request in the service's log.
	RequestID string
	// RetryAfter is how long to wait before it makes sense to ask again; 0 if the service did not say.
	RetryAfter time.Duration
	// Base and Header say where a key belongs that was sent to the wrong place.
	Base, Header string
}

// Error tells what the service said.
func (e *ServiceError) Error() string {
	return fmt.Sprintf("marquee: %s answered %d %s: %s", e.URL, e.Status, e.Code, e.Message)
}

// ContractError says that an answer came that is not what the contract says: not JSON, JSON of another shape, or an
// error in a form that is not the service's. Often something else than the service answered.
type ContractError struct {
	// URL is what was asked for.
	URL string
	// Status is the HTTP status.
	Status int
	// RequestID finds the request in the service's log, if it was the service that answered.
	RequestID string
	// Problem says what is wrong with the answer.
	Problem string
	// Cause is what the JSON reader said, if it was that.
	Cause error
}

// Error tells what is wrong with the answer.
func (e *ContractError) Error() string {
	return fmt.Sprintf("marquee: the answer of %s (status %d) is not what the contract says: %s", e.URL, e.Status, e.Problem)
}

// Unwrap returns the cause, if there is one.
func (e *ContractError) Unwrap() error { return e.Cause }

// UsageError says that a call can never be right, so that nothing was sent.
type UsageError struct {
	// Problem says what is wrong with the call.
	Problem string
}

// Error tells what is wrong with the call.
func (e *UsageError) Error() string { return "marquee: " + e.Problem }

func usage(format string, values ...any) error {
	return &UsageError{Problem: fmt.Sprintf(format, values...)}
}
