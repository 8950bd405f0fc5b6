"""Events in: what a transport hands over, and the decoders that make change events of it.

A transport (Kafka, SQS, the metastore's own log) polls messages; a decoder is a pure function from one message to
change events. Each can be added without the other.
"""
