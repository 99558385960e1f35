// The plugin generates the models of `Schemas/Landmine`. SwiftPM requires a source file.
