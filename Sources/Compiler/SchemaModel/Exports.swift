// The schema's value types and delete rules.
@_exported public import SchemaFacts
