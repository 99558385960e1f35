/// What kind of thing a standard value is: JSON has one text for a date and for a number.
enum ValueFamily: String {
  case number, truth, text, date, bytes, uuid, url

  /// - Returns: nil for a type whose values are not known here.
  init?(_ type: any Any.Type) {
    var name = ValueTypeName(type).unqualified[...]
    for wrapper in ["Optional<", "Array<", "Set<", "Optional<"] where name.hasPrefix(wrapper) && name.hasSuffix(">") {
      name = name.dropFirst(wrapper.utf8.count).dropLast()
    }
    switch name {
    case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float",
      "Double", "Decimal":
      self = .number
    case "Bool": self = .truth
    case "String", "Character": self = .text
    case "Date": self = .date
    case "Data": self = .bytes
    case "UUID": self = .uuid
    case "URL": self = .url
    default: return nil
    }
  }
}
