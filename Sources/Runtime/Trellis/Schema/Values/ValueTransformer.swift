#if !canImport(ObjectiveC)
  import Foundation
  import Synchronization

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
