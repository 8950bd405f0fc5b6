"""What people are told of: matters that last, and what a change breaks."""
