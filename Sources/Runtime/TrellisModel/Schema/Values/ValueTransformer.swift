#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif

import Synchronization

#if !canImport(ObjectiveC)
  /// Converts values to a stored form and back.
  ///
  /// Foundation provides this class on Apple's platforms only. This declaration replaces it on other platforms. A
  /// transformable attribute is stored as the `Data` that ``transformedValue(_:)`` returns:
  ///
  /// ```swift
  /// struct Colour: Codable { var name: String }
  ///
  /// final class ColourTransformer: ValueTransformer {
  ///   override func transformedValue(_ value: Any?) -> Any? {
  ///     (value as? Colour).map { Data($0.name.utf8) }
  ///   }
  ///   override func reverseTransformedValue(_ value: Any?) -> Any? {
  ///     (value as? Data).map { Colour(name: String(decoding: $0, as: UTF8.self)) }
  ///   }
  /// }
  /// ```
  ///
  /// A property refers to the class with `@Attribute(.transformable(by: ColourTransformer.self))`, or to the registered
  /// name. A save throws ``SwiftDataError/modelValidationFailure`` if the result is not `Data`.
  ///
  /// Transformers are shared and can be called from any thread.
  open class ValueTransformer: _NamedTransformer {
    /// Creates a transformer.
    public required init() {}

    /// Returns true if ``reverseTransformedValue(_:)`` is supported. The default is true.
    open class func allowsReverseTransformation() -> Bool { true }

    /// Returns the class for transformed values. The default is `NSData`, as in stores. Trellis does not call this
    /// method, because it checks the values themselves.
    open class func transformedValueClass() -> AnyClass { NSData.self }

    /// Returns a value's stored form. The default implementation returns the value itself.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Returns the value for a stored form. The default implementation returns the stored form itself.
    open func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Registers a transformer under a name; nil removes the registration.
    ///
    /// Register transformers before you create the container:
    ///
    /// ```swift
    /// final class ReversedData: ValueTransformer {
    ///   override func transformedValue(_ value: Any?) -> Any? { (value as? Data).map { Data($0.reversed()) } }
    ///   override func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
    /// }
    /// ValueTransformer.setValueTransformer(ReversedData(), forName: NSValueTransformerName("Reversed"))
    /// let container = try ModelContainer(for: Trip.self)
    /// ```
    ///
    /// - Parameters:
    ///   - transformer: The transformer; nil to remove the registration.
    ///   - name: The name in `@Attribute(.transformable(by:))`.
    public static func setValueTransformer(
      _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
      let entry = transformer.map(TransformerTable.Entry.init)
      TransformerTable.named.withLock { $0[name.rawValue] = entry }
    }

    /// Returns the transformer registered under a name, as ``init(forName:)`` does.
    public static func valueTransformer(
      forName name: NSValueTransformerName
    ) -> ValueTransformer? {
      TransformerTable.named.withLock { $0[name.rawValue] }?.transformer
    }

    /// All registered transformer names.
    public static func valueTransformerNames() -> [NSValueTransformerName] {
      TransformerTable.named.withLock { $0.keys.sorted() }
        .map { NSValueTransformerName(rawValue: $0) }
    }
  }

  /// A protocol that lets `ValueTransformer(forName:)` return the registered object instead of a new object.
  public protocol _NamedTransformer {}

  extension _NamedTransformer {
    /// Returns the transformer registered under a name; nil if there is none or the class differs.
    public init?(forName name: NSValueTransformerName) {
      guard let known = ValueTransformer.valueTransformer(forName: name) as? Self else { return nil }
      self = known
    }
  }

  /// A registered transformer's name.
  ///
  /// ```swift
  /// extension NSValueTransformerName {
  ///   static let reversed = NSValueTransformerName("Reversed")
  /// }
  /// ```
  ///
  /// Foundation provides this type on Apple's platforms only.
  public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as a string.
    public var rawValue: String

    /// Creates a transformer name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a transformer name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
#endif

/// An attribute's transformer as declared in the schema.
public enum TransformerReference {
  /// A transformer identified by class.
  case type(ValueTransformer.Type)
  /// A transformer that the app registers under a name.
  case named(String)
}

/// The transformers of transformable attributes, with one instance per class.
enum TransformerTable {
  struct Entry: @unchecked Sendable {  // transformers are shared by contract
    let transformer: ValueTransformer
  }

  /// Entries by registered name and by class name.
  static let named = Mutex<[String: Entry]>([:])

  /// Returns the instance of a class. The first call creates the instance and registers it under the class name.
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

  /// Returns a transformer that the schema declares by name.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the transformer is not registered.
  static func transformer(named name: String) throws -> ValueTransformer {
    if let known = named.withLock({ $0[name] }) { return known.transformer }
    #if canImport(ObjectiveC)
      if let known = ValueTransformer(forName: NSValueTransformerName(name)) { return known }
    #endif
    throw SwiftDataError.unknownSchema.explained(
      "no value transformer is registered as '\(name)': call ValueTransformer.setValueTransformer "
        + "before you create the container")
  }

  /// Returns a value's stored form; nil if the value is nil.
  static func data<T>(of value: T, by transformer: ValueTransformer) throws -> Data? {
    if (value as? any OptionalValue)?.isNil == true { return nil }
    // Storing nil would silently lose the value.
    guard let data = transformer.transformedValue(value) as? Data else {
      throw SwiftDataError.modelValidationFailure.explained(
        "'\(type(of: transformer))' did not return Data for \(ValueDescription.of(value))")
    }
    return data
  }

  /// Returns the value for a stored form.
  static func value<T>(of data: Data?, by transformer: ValueTransformer) throws -> T {
    if data == nil, let none = NilLiteral.value(T.self) { return none }
    // Rejects a nil result, because the cast to an optional type would accept it.
    if let data, let restored = transformer.reverseTransformedValue(data), let value = restored as? T {
      return value
    }
    throw SwiftDataError.modelValidationFailure.explained(
      "'\(type(of: transformer))' did not return a value of type '\(T.self)'")
  }
}
