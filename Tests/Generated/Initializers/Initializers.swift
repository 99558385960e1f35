// The plugin generates the models of `Schemas/Initializers`. SwiftPM requires a source file.
