

// nothing
