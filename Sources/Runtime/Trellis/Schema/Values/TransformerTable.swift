#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif
import Synchronization

/// The transformer of an attribute, as the schema names it.
public enum TransformerReference {
  /// By its class.
  case type(ValueTransformer.Type)
  /// Registered by the program under this name.
  case named(String)
}

/// The transformers of transformable attributes, one instance per class.
enum TransformerTable {
  struct Entry: @unchecked Sendable {  // transformers are shared by contract
    let transformer: ValueTransformer
  }

  /// By the name a program registered them under, and by the name of their class.
  static let named = Mutex<[String: Entry]>([:])

  /// The instance for a class, made and registered under the class's name at first.
  static func transformer(_ type: ValueTransformer.Type) -> ValueTransformer {
    let name = String(reflecting: type)
    return named.withLock { table in
      if let known = table[name] { return known }
      let made = Entry(transformer: type.init())
      table[name] = made
      return made
    }.transformer
  }

  static func transformer(_ reference: TransformerReference) throws -> ValueTransformer {
    switch reference {
    case .type(let type): transformer(type)
    case .named(let name): try transformer(named: name)
    }
  }

  /// The transformer a schema names.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if it is not registered.
  static func transformer(named name: String) throws -> ValueTransformer {
    if let known = named.withLock({ $0[name] }) { return known.transformer }
    #if canImport(ObjectiveC)
      if let known = ValueTransformer(forName: NSValueTransformerName(name)) { return known }
    #endif
    throw SwiftDataError.unknownSchema.explained(
      "no value transformer is registered as '\(name)': call ValueTransformer.setValueTransformer "
        + "before the container is made")
  }

  /// The stored form of a value; nil for nil.
  static func data<T>(of value: T, by transformer: ValueTransformer) throws -> Data? {
    if (value as? any OptionalValue)?.isNil == true { return nil }
    guard let stored = transformer.transformedValue(value) else {
      // Storing nothing would lose the value without a word.
      throw SwiftDataError.modelValidationFailure.explained(
        "'\(type(of: transformer))' has no stored form for \(ValueDescription.of(value))")
    }
    guard let data = stored as? Data else {
      throw SwiftDataError.modelValidationFailure.explained(
        "'\(type(of: transformer))' gave \(type(of: stored)) instead of Data")
    }
    return data
  }

  /// The value of a stored form.
  static func value<T>(of data: Data?, by transformer: ValueTransformer) throws -> T {
    guard let data else {
      if let none = NilLiteral.value(T.self) { return none }
      throw SwiftDataError.modelValidationFailure.explained(
        "there is no stored form of a value of type '\(T.self)'")
    }
    // Nil would be a value of an optional type.
    if let restored = transformer.reverseTransformedValue(data), let value = restored as? T {
      return value
    }
    throw SwiftDataError.modelValidationFailure.explained(
      "'\(type(of: transformer))' did not give back a value of type '\(T.self)'")
  }
}
