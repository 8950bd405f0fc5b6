"""From messages of event sources to what is to be looked at again."""
