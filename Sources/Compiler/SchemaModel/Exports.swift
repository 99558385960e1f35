// The value types and delete rules of a schema.
@_exported public import SchemaFacts
