#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif

import Synchronization

#if !canImport(ObjectiveC)
  /// Turns values of one kind into values of another one and back.
  ///
  /// Foundation has this class on Apple's platforms only; this one takes its place elsewhere. A
  /// transformable attribute is stored as the `Data` that ``transformedValue(_:)`` gives:
  ///
  ///     final class ColourTransformer: ValueTransformer {
  ///       override func transformedValue(_ value: Any?) -> Any? { (value as? Colour)?.data }
  ///       override func reverseTransformedValue(_ value: Any?) -> Any? {
  ///         (value as? Data).flatMap(Colour.init(data:))
  ///       }
  ///     }
  ///
  /// Transformers are shared and called from any thread.
  open class ValueTransformer: _NamedTransformer {
    /// A transformer.
    public required init() {}

    /// Whether ``reverseTransformedValue(_:)`` works; true unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The class of what ``transformedValue(_:)`` gives; `NSData` unless overridden, as in stores. Trellis does
    /// not ask for it: it looks at the values themselves.
    open class func transformedValueClass() -> AnyClass { NSData.self }

    /// The stored form of a value. Returns the value itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value of a stored form. Returns the stored form itself unless overridden.
    open func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Registers a transformer; nil takes the registration back.
    public static func setValueTransformer(
      _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
      let entry = transformer.map(TransformerTable.Entry.init)
      TransformerTable.named.withLock { $0[name.rawValue] = entry }
    }

    /// The transformer registered under a name, as ``init(forName:)`` gives it.
    public static func valueTransformer(
      forName name: NSValueTransformerName
    ) -> ValueTransformer? {
      TransformerTable.named.withLock { $0[name.rawValue] }?.transformer
    }

    /// The names of all registered transformers.
    public static func valueTransformerNames() -> [NSValueTransformerName] {
      TransformerTable.named.withLock { $0.keys.sorted() }
        .map { NSValueTransformerName(rawValue: $0) }
    }
  }

  /// What lets `ValueTransformer(forName:)` give the registered object instead of a new one.
  public protocol _NamedTransformer {}

  extension _NamedTransformer {
    /// The transformer registered under a name; nil when there is none, or it is of another class.
    public init?(forName name: NSValueTransformerName) {
      guard let known = ValueTransformer.valueTransformer(forName: name) as? Self else { return nil }
      self = known
    }
  }

  /// The name of a registered transformer.
  public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name itself.
    public var rawValue: String

    /// A transformer's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A transformer's name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
#endif

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
    // Storing nothing would lose the value without a word.
    guard let data = transformer.transformedValue(value) as? Data else {
      throw SwiftDataError.modelValidationFailure.explained(
        "'\(type(of: transformer))' did not give Data for \(ValueDescription.of(value))")
    }
    return data
  }

  /// The value of a stored form.
  static func value<T>(of data: Data?, by transformer: ValueTransformer) throws -> T {
    if data == nil, let none = NilLiteral.value(T.self) { return none }
    // Nil would be a value of an optional type.
    if let data, let restored = transformer.reverseTransformedValue(data), let value = restored as? T {
      return value
    }
    throw SwiftDataError.modelValidationFailure.explained(
      "'\(type(of: transformer))' did not give back a value of type '\(T.self)'")
  }
}
