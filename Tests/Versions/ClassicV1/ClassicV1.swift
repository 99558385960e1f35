// The models are generated from the schema. SwiftPM requires a source file.
