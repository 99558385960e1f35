#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif

/// The transformer of an attribute, as the schema names it.
public enum TransformerReference {
  /// By its class.
  case type(ValueTransformer.Type)
  /// Registered by the program under this name.
  case named(String)
}

extension RowReader {
  /// Reads the column as data and gives it to the transformer.
  package mutating func transformed<T>(
    _ slot: Int, by transformer: TransformerReference
  ) throws -> T {
    let data: Data? = try value(slot)
    return try TransformerTable.value(of: data, by: TransformerTable.transformer(transformer))
  }
}

extension RowWriter {
  /// Writes what the transformer makes of the value.
  package func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    let data = try TransformerTable.data(
      of: value, by: TransformerTable.transformer(transformer))
    try self.value(slot, data)
  }
}
