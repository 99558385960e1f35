import SchemaModel

/// How a value of an attribute is laid out in its row.
enum StoredForm: Equatable {
  case plain, text, columns, file

  /// Whether what is stored of one attribute is a value of the other as it is, if their types are alike.
  static func isReadable(_ old: ResolvedAttribute?, as new: ResolvedAttribute?) -> Bool {
    guard let old, let new, !old.isTransient, !new.isTransient else { return true }
    switch (Self(old), Self(new)) {
    // Bytes may be in the row as well as in a file; the other way they would have to be read.
    case (.plain, .file): return true
    // JSON is the form of what has no other one.
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
  /// Whether values are JSON text without being told so. An enum may have raw values.
  fileprivate var isText: Bool {
    switch unwrapped {
    case .structure, .array, .set, .dictionary: true
    case .scalar, .enumeration, .opaque, .optional: false
    }
  }
}
