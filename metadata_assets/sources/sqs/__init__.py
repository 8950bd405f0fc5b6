"""A queue of SQS as a source of events."""
