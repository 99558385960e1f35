// The plugin generates the models of `Schemas/Access`. SwiftPM requires a source file.
