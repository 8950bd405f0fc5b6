"""Facts with history, published state, the event inbox and everything else that must survive a process."""
