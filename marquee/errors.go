package marquee

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ConnectionError means that no complete response came: the connection failed, or the timeout passed. All retries are
// used up by then.
type ConnectionError struct {
	// URL is the requested URL.
	URL string
	// TimedOut says that the client's timeout ended the call.
	TimedOut bool
	// Cause is the error of the network.
	Cause error
}

// Error describes what could not be reached, and why.
func (e *ConnectionError) Error() string {
	if e.TimedOut {
		return fmt.Sprintf("marquee: %s did not answer in time: %v", e.URL, e.Cause)
	}
	return fmt.Sprintf("marquee: could not reach %s: %v", e.URL, e.Cause)
}

// Unwrap returns the cause, unless it is a context error: that is the client's own timeout or one of the network, and
// errors.Is must match the caller's context only.
func (e *ConnectionError) Unwrap() error {
	if errors.Is(e.Cause, context.DeadlineExceeded) || errors.Is(e.Cause, context.Canceled) {
		return nil
	}
	return e.Cause
}

// Timeout reports whether the client's timeout passed, as net.Error does.
func (e *ConnectionError) Timeout() bool { return e.TimedOut }

// ServiceError is an error response of the service.
type ServiceError struct {
	// URL is the requested URL.
	URL string
	// Status is the HTTP status.
	Status int
	// Code is for programs: one of the codes of the service's documentation, such as "not_found". It is empty if the
	// response has none.
	Code string
	// Type is the address of the code in the documentation; it may be relative to that of the service.
	Type string
	// Message is for people.
	Message string
	// Parameter names the parameter at fault, where there is one.
	Parameter string
	// RequestID finds the request in the service's log.
	RequestID string
	// RetryAfter is how long to wait before a retry; 0 if the service did not say.
	RetryAfter time.Duration
	// Base and Header are the right base URL and header of a key that was sent to the wrong one.
	Base, Header string
}

// Error describes the error response.
func (e *ServiceError) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("marquee: %s answered %d: %s", e.URL, e.Status, e.Message)
	}
	return fmt.Sprintf("marquee: %s answered %d %s: %s", e.URL, e.Status, e.Code, e.Message)
}

// ContractError means that a response breaks the contract: not JSON, JSON of another shape, or an error in another form.
// Often a proxy or another server has answered.
type ContractError struct {
	// URL is the requested URL.
	URL string
	// Status is the HTTP status.
	Status int
	// RequestID finds the request in the service's log, if the service has answered.
	RequestID string
	// Problem describes what is wrong with the response.
	Problem string
	// Cause is the error of the JSON decoder, if there is one.
	Cause error
}

// Error describes what is wrong with the response.
func (e *ContractError) Error() string {
	return fmt.Sprintf("marquee: the answer of %s (status %d) is not what the contract says: %s", e.URL, e.Status, e.Problem)
}

// Unwrap returns the cause, if there is one.
func (e *ContractError) Unwrap() error { return e.Cause }

// ResponseTooLargeError means that a response body is larger than the limit of WithMaxResponseBytes. It is not retried.
type ResponseTooLargeError struct {
	// URL is the requested URL.
	URL string
	// Status is the HTTP status.
	Status int
	// RequestID finds the request in the service's log, if the service has answered.
	RequestID string
	// Limit is the largest size that is allowed, in bytes.
	Limit int64
}

// Error describes the limit.
func (e *ResponseTooLargeError) Error() string {
	return fmt.Sprintf("marquee: the response of %s (status %d) is larger than %d bytes", e.URL, e.Status, e.Limit)
}

// UsageError means that arguments or options are invalid. Nothing was sent.
type UsageError struct {
	// Problem describes what is wrong with the call.
	Problem string
}

// Error describes what is wrong with the call.
func (e *UsageError) Error() string { return "marquee: " + e.Problem }

func usage(format string, values ...any) error {
	return &UsageError{Problem: fmt.Sprintf(format, values...)}
}
