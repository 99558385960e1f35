// The models come from the schema; SwiftPM wants a source file.
