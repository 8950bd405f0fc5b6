"""Pure: aggregates and samples become findings."""
