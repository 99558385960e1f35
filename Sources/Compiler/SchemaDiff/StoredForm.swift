import SchemaModel

/// The layout of an attribute's value in a row.
enum StoredForm: Equatable {
  case plain, text, columns, file

  /// Returns true if values stored for the old attribute can be read unchanged for the new attribute, assuming equal
  /// types.
  static func isReadable(_ old: ResolvedAttribute?, as new: ResolvedAttribute?) -> Bool {
    guard let old, let new, !old.isTransient, !new.isTransient else { return true }
    switch (Self(old), Self(new)) {
    // External storage also accepts values in the row; the reverse would require reading the files.
    case (.plain, .file): return true
    // JSON is the default form of these types.
    case (.plain, .text), (.text, .plain): return old.type.isText && new.type.isText
    case (let before, let after): return before == after
    }
  }

  private init(_ attribute: ResolvedAttribute) {
    switch attribute.storage {
    case .json: self = .text
    case .flattened: self = .columns
    case .raw: self = .plain
    case nil where attribute.options.contains(.codable): self = .text
    case nil where attribute.options.contains(.externalStorage) && attribute.type.unwrapped == .scalar(.data):
      self = .file
    case nil: self = .plain
    }
  }
}

extension ValueType {
  /// True if values are stored as JSON by default. An enum may have raw values instead.
  fileprivate var isText: Bool {
    switch unwrapped {
    case .structure, .array, .set, .dictionary: true
    case .scalar, .enumeration, .opaque, .optional: false
    }
  }
}
