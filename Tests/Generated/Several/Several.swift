// The plugin generates the models of `Schemas/Several`. SwiftPM requires a source file.
