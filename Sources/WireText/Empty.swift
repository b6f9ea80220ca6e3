// Removed when the target has its first file.
